# Our own C++ under clang-format and clang-tidy. Nearly all that clang-tidy does for
# a file is to read Clang's headers, so it is given a folder at once: a file that
# includes the folder's sources, which is why each name has one meaning in a folder.
# A folder has a stamp and is looked at again only when a source of it, or a header,
# changed.
#
# Of what is included, misc-unused-using-decls and misc-unused-alias-decls say
# nothing: consistency/includes_test looks for these. Nor does Clang of a function or
# variable with internal linkage that nothing uses: consistency/structure_test does.
file(GLOB OWN_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/unit/*.cpp
     ${PROJECT_SOURCE_DIR}/lib/*.cpp ${PROJECT_SOURCE_DIR}/lib/*/*.cpp
     ${PROJECT_SOURCE_DIR}/checks/*.cpp ${PROJECT_SOURCE_DIR}/tool/*.cpp
     ${PROJECT_SOURCE_DIR}/tool/*/*.cpp)
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

set(TIDY
    ${CLANG_TIDY} --quiet --warnings-as-errors=*
    --config-file=${PROJECT_SOURCE_DIR}/.clang-tidy
    "--header-filter=/(lib|checks|tool|unit)/([^/]*/)?[^/]*[.](h|cpp)$")
set(FOLDERS "")
foreach(SOURCE IN LISTS OWN_SOURCES)
  get_filename_component(FOLDER ${SOURCE} DIRECTORY)
  file(RELATIVE_PATH FOLDER ${PROJECT_SOURCE_DIR} ${FOLDER})
  list(APPEND FOLDERS ${FOLDER})
  list(APPEND ${FOLDER}_SOURCES ${SOURCE})
endforeach()
list(REMOVE_DUPLICATES FOLDERS)

set(BATCHES "")
set(STAMPS "")
foreach(FOLDER IN LISTS FOLDERS)
  string(REPLACE "/" "-" NAME ${FOLDER})
  set(BATCH ${CMAKE_CURRENT_BINARY_DIR}/own-code/${NAME}.cpp)
  list(TRANSFORM ${FOLDER}_SOURCES
       REPLACE "(.+)" "#include \"\\1\" // NOLINT(bugprone-suspicious-include)\n"
       OUTPUT_VARIABLE INCLUDES)
  string(JOIN "" INCLUDES ${INCLUDES})
  file(CONFIGURE OUTPUT ${BATCH} CONTENT "${INCLUDES}")
  add_custom_command(
    OUTPUT ${BATCH}.stamp
    COMMAND ${TIDY} -p ${PROJECT_BINARY_DIR} ${BATCH}
    COMMAND ${CMAKE_COMMAND} -E touch ${BATCH}.stamp
    DEPENDS ${BATCH} ${${FOLDER}_SOURCES} ${OWN_HEADERS}
            ${PROJECT_SOURCE_DIR}/.clang-tidy
    COMMENT "clang-tidy ${FOLDER}"
    VERBATIM)
  list(APPEND BATCHES ${BATCH})
  list(APPEND STAMPS ${BATCH}.stamp)
endforeach()
# Every embedded byte would be looked at, half a minute long; the first will do.
file(READ ${PROJECT_BINARY_DIR}/tool/Embedded.inc EMBEDDED)
string(REPLACE "suffix" "limit(1) suffix" EMBEDDED "${EMBEDDED}")
file(CONFIGURE OUTPUT own-code/Embedded.inc @ONLY CONTENT "${EMBEDDED}")
# Never built: says how they are compiled.
add_library(own-code OBJECT EXCLUDE_FROM_ALL ${BATCHES})
set_target_properties(own-code PROPERTIES UNITY_BUILD OFF)
target_link_libraries(own-code PRIVATE cpasync-tool GTest::gtest)
target_include_directories(own-code PRIVATE unit ${CMAKE_CURRENT_BINARY_DIR}/own-code)
target_compile_definitions(
  own-code PRIVATE CPASYNC_RESOURCE_DIR="${CLANG_RESOURCE_DIR}"
                   CPASYNC_VERSION="${PROJECT_VERSION}" CPASYNC_DOCS_URL="")
target_compile_options(own-code PRIVATE -Wno-c23-extensions) # Embedded.cpp

add_custom_target(own-code-tidy DEPENDS ${STAMPS})
add_test(NAME own-code/clang-tidy
         COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target
                 own-code-tidy -- -k 0)
set_tests_properties(own-code/clang-tidy PROPERTIES TIMEOUT 900 RUN_SERIAL ON)
python_test(own-code/planted ${CMAKE_CURRENT_SOURCE_DIR}/own-code/planted_test.py
            ${TIDY})

file(GLOB OTHER_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bench/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/oracle/*.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/oracle/*.h)
add_test(NAME own-code/clang-format
         COMMAND ${CLANG_FORMAT} --dry-run --Werror ${OWN_SOURCES}
                 ${OWN_HEADERS} ${OTHER_SOURCES})
