# Finds Debian's LLVM and Clang 22. Sets CLANG_RESOURCE_DIR and LLVM_TOOLS.
#
# `find_package(LLVM 22)` is refused by LLVM's own version file, which wants
# "22.1", so the major is checked by hand.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(LLVM REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG HINTS "${LLVM_CMAKE_DIR}/../clang")
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "LLVM 22 is needed, ${LLVM_DIR} is ${LLVM_VERSION}")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} from ${LLVM_DIR}")

separate_arguments(LLVM_DEFINITIONS_LIST UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${LLVM_DEFINITIONS_LIST})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})

set(LLVM_TOOLS ${LLVM_TOOLS_BINARY_DIR})
set(CLANG_RESOURCE_DIR
    ${CLANG_INSTALL_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR})

# Two ways to link; an executable chooses one.
#
# The targets clangTooling, clangAST, ... would pull in a second, static copy of
# Clang next to the shared LLVM; these two shared libraries hold everything.
add_library(llvm-shared INTERFACE)
target_link_libraries(
  llvm-shared INTERFACE ${CLANG_INSTALL_PREFIX}/lib/libclangTidy.a clang-cpp
                        LLVM)

# Everything static, for a binary that runs where there is no LLVM. The archives
# need each other in no particular order.
file(GLOB LLVM_ARCHIVES ${LLVM_LIBRARY_DIRS}/libclang*.a
     ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
add_library(llvm-static INTERFACE)
target_link_libraries(
  llvm-static INTERFACE -Wl,--start-group ${LLVM_ARCHIVES} -Wl,--end-group
                        -lzstd -lz)
target_link_options(llvm-static INTERFACE -static -Wl,--gc-sections -s)
