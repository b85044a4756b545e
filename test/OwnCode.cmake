# Our own C++ under clang-format and clang-tidy. clang-tidy is slow, so every
# file has a stamp and is looked at again only when it or a header changed.
file(GLOB OWN_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/*.cpp
     ${PROJECT_SOURCE_DIR}/lib/*/*.cpp ${PROJECT_SOURCE_DIR}/checks/*.cpp
     ${PROJECT_SOURCE_DIR}/tool/*.cpp ${PROJECT_SOURCE_DIR}/tool/*/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/unit/*.cpp)
file(GLOB OWN_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/*.h
     ${PROJECT_SOURCE_DIR}/lib/*/*.h ${PROJECT_SOURCE_DIR}/checks/*.h
     ${PROJECT_SOURCE_DIR}/tool/*/*.h
     ${CMAKE_CURRENT_SOURCE_DIR}/unit/*.h)
list(FILTER OWN_HEADERS EXCLUDE REGEX "/cuda-headers/")
find_program(CLANG_FORMAT clang-format-22)
find_program(CLANG_TIDY clang-tidy-22)
if(NOT CLANG_FORMAT OR NOT CLANG_TIDY)
  # A test that says so: who hands in code has them.
  add_test(NAME own-code COMMAND ${CMAKE_COMMAND} -E echo
                                 "SKIPPED: no clang-format-22 or clang-tidy-22")
  set_tests_properties(own-code PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  return()
endif()

set(STAMPS "")
foreach(SOURCE IN LISTS OWN_SOURCES)
  file(RELATIVE_PATH NAME ${PROJECT_SOURCE_DIR} ${SOURCE})
  set(STAMP ${CMAKE_CURRENT_BINARY_DIR}/own-code/${NAME}.stamp)
  get_filename_component(FOLDER ${STAMP} DIRECTORY)
  file(MAKE_DIRECTORY ${FOLDER})
  add_custom_command(
    OUTPUT ${STAMP}
    COMMAND ${CLANG_TIDY} --quiet --warnings-as-errors=*
            "--header-filter=/(lib|checks|tool|unit)/([^/]*/)?[^/]*[.]h$" -p
            ${PROJECT_BINARY_DIR} ${SOURCE}
    COMMAND ${CMAKE_COMMAND} -E touch ${STAMP}
    DEPENDS ${SOURCE} ${OWN_HEADERS} ${PROJECT_SOURCE_DIR}/.clang-tidy
    COMMENT "clang-tidy ${NAME}"
    VERBATIM)
  list(APPEND STAMPS ${STAMP})
endforeach()
add_custom_target(own-code-tidy DEPENDS ${STAMPS})
add_test(NAME own-code/clang-tidy
         COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target
                 own-code-tidy -- -k 0)
set_tests_properties(own-code/clang-tidy PROPERTIES TIMEOUT 900 RUN_SERIAL ON)

file(GLOB OTHER_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/oracle/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/oracle/*.h)
add_test(NAME own-code/clang-format
         COMMAND ${CLANG_FORMAT} --dry-run --Werror ${OWN_SOURCES}
                 ${OWN_HEADERS} ${OTHER_SOURCES})
