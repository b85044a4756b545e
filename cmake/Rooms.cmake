# add_rooms(FOLDER TARGET ROOMS <room>... [SHARED <header>...] [BELOW <folder>...])
#
# An object library TARGET-<room> for each subdirectory of FOLDER that is named,
# lowest first. It finds the headers of its own room, of those before it and of the
# folders BELOW, and no others: an #include upward does not compile.
# TARGET-objects is set to the objects of all.
function(add_rooms FOLDER TARGET)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "ROOMS;SHARED;BELOW")
  set(BEFORE "")
  set(OBJECTS "")
  foreach(ROOM IN LISTS ARG_ROOMS)
    list(APPEND BEFORE ${ROOM})
    set(VIEW ${PROJECT_BINARY_DIR}/rooms/${FOLDER}-${ROOM})
    file(REMOVE_RECURSE ${VIEW})
    file(MAKE_DIRECTORY ${VIEW}/${FOLDER})
    foreach(PART IN LISTS BEFORE ARG_SHARED)
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${FOLDER}/${PART}
           ${VIEW}/${FOLDER}/${PART} SYMBOLIC)
    endforeach()
    foreach(OTHER IN LISTS ARG_BELOW)
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${OTHER} ${VIEW}/${OTHER} SYMBOLIC)
    endforeach()
    file(GLOB SOURCES CONFIGURE_DEPENDS
         ${PROJECT_SOURCE_DIR}/${FOLDER}/${ROOM}/*.cpp)
    add_library(${TARGET}-${ROOM} OBJECT ${SOURCES})
    target_include_directories(${TARGET}-${ROOM} PRIVATE ${VIEW})
    list(APPEND OBJECTS $<TARGET_OBJECTS:${TARGET}-${ROOM}>)
  endforeach()
  set(${TARGET}-objects ${OBJECTS} PARENT_SCOPE)
endfunction()
