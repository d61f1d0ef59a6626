# What is compiled into every object of the tree, tests included: sanitizers, fuzzing, coverage. Mixing
# instrumented and plain objects gives false reports, so none of this is set per target.

if(MILL_SANITIZE)
  add_compile_options(-fsanitize=${MILL_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MILL_SANITIZE})
  if(MILL_SANITIZE MATCHES "undefined")
    # Undefined behaviour is a failure, not a line of text that nobody reads.
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

if(MILL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MILL_FUZZ needs clang (libFuzzer); use the preset 'fuzz'")
  endif()
  # Branch feedback everywhere; only the fuzz targets themselves link libFuzzer's main().
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(MILL_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
