# libmillprobe: what is installed. The shared and the static library hold the objects of all rooms they need, so
# that nothing but zstd (and, for the static one, the C++ run-time library) has to be found beside them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(mill_probe PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON)

add_library(mill_capi OBJECT capi/capi.cpp)
target_compile_definitions(mill_capi PRIVATE MILL_VERSION="${PROJECT_VERSION}")
target_include_directories(mill_capi PUBLIC include)
target_link_libraries(mill_capi PUBLIC mill_probe PRIVATE mill_warnings)
set_target_properties(mill_capi PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

set(MILL_LIBRARY_OBJECTS
  $<TARGET_OBJECTS:mill_capi>
  $<TARGET_OBJECTS:mill_probe>
  $<TARGET_OBJECTS:mill_rules>)

add_library(millprobe_shared SHARED ${MILL_LIBRARY_OBJECTS})
target_link_options(millprobe_shared PRIVATE -Wl,--version-script,${CMAKE_CURRENT_LIST_DIR}/millprobe.map -Wl,--as-needed)
set_target_properties(millprobe_shared PROPERTIES
  OUTPUT_NAME millprobe
  EXPORT_NAME millprobe
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/millprobe.map)
target_link_libraries(millprobe_shared PRIVATE ${ZSTD_LINK_LIBRARIES} Threads::Threads)

add_library(millprobe_static STATIC ${MILL_LIBRARY_OBJECTS})
set_target_properties(millprobe_static PROPERTIES OUTPUT_NAME millprobe EXPORT_NAME static LINKER_LANGUAGE CXX)
target_link_libraries(millprobe_static INTERFACE zstd Threads::Threads)

foreach(library millprobe_shared millprobe_static)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/probe/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

install(TARGETS millprobe_shared millprobe_static EXPORT millprobe
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/millprobe.h include/millprobe.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES python/millprobe.py DESTINATION ${CMAKE_INSTALL_DATADIR}/millwright/python)
install(EXPORT millprobe NAMESPACE millprobe:: FILE millprobe-targets.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/millprobe)
configure_package_config_file(capi/millprobe-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/millprobe-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/millprobe)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/millprobe-config-version.cmake
  COMPATIBILITY SameMinorVersion)
# Found from the place of the file itself, so that an installation can be moved or made under another prefix.
file(RELATIVE_PATH millprobe_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(capi/millprobe.pc.in ${CMAKE_CURRENT_BINARY_DIR}/millprobe.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/millprobe-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/millprobe-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/millprobe)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/millprobe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
