include(GoogleTest)

# Registers the tests of a GoogleTest program with ctest. Those of a suite whose name begins with "Slow"
# get the label `slow`, which the default suite leaves out. Further arguments go to gtest_discover_tests;
# LABELS in them are not supported.
function(mill_discover_tests target)
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 TEST_FILTER "-Slow*:*/Slow*" ${ARGN})
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 TEST_FILTER "Slow*:*/Slow*" PROPERTIES LABELS slow TIMEOUT 7200
    ${ARGN})
endfunction()
