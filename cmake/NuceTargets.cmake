# Settings of every target of ours. Headers are included by folder ("schedules/pattern.h"). A target
# finds those of its own folder and of the modules that it links. So the layers are defined here and
# in the target_link_libraries of the folders; a header of an unlinked module cannot be included.

add_library(nuce_warnings INTERFACE)
target_compile_options(nuce_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
    -Wwrite-strings -Wformat=2
    $<$<BOOL:${NUCE_WERROR}>:-Werror>)
add_library(nuce_flags INTERFACE)
target_compile_definitions(nuce_flags INTERFACE _GNU_SOURCE)
target_link_libraries(nuce_flags INTERFACE nuce_warnings)
if(NUCE_SANITIZE)
    target_compile_options(nuce_flags INTERFACE -fsanitize=address,undefined
        -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(nuce_flags INTERFACE -fsanitize=address,undefined)
    # These checks take a third of the compile time, and find errors that the processor or
    # AddressSanitizer also finds, or that x86 permits. Only the gate's builds omit them.
    if(NOT NUCE_ALL_TESTS)
        target_compile_options(nuce_flags INTERFACE -fno-sanitize=null,alignment,pointer-overflow)
    endif()
endif()
if(NUCE_WERROR)
    # For tests, with some 240 programs to link: gold, if it exists, is three times as fast as ld.
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=gold NUCE_HAS_GOLD)
    if(NUCE_HAS_GOLD)
        target_link_options(nuce_flags INTERFACE -fuse-ld=gold)
    endif()
endif()
# Modules with long computations in tests are optimised under the sanitizers, too.
set(NUCE_COMPUTING arrays layouts mapping meshes networks schedules support)
if(NUCE_FUZZ)
    target_compile_options(nuce_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The programs that MPI runs; a build for another library needs no others.
add_custom_target(nuce-kernels)

# nuce_module(NAME): an empty static library for the current folder; the caller adds target_sources
# and target_link_libraries.
function(nuce_module name)
    add_library(nuce_${name} STATIC)
    nuce_include_root(root)
    target_include_directories(nuce_${name} PUBLIC $<BUILD_INTERFACE:${root}>)
    target_link_libraries(nuce_${name} PRIVATE $<BUILD_INTERFACE:nuce_flags>)
    if(NUCE_SANITIZE AND name IN_LIST NUCE_COMPUTING)
        target_compile_options(nuce_${name} PRIVATE -O1)
    endif()
endfunction()

# nuce_include_root(VARIABLE): a folder that contains only the current folder, by its name.
function(nuce_include_root variable)
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    set(root ${PROJECT_BINARY_DIR}/include/${folder})
    file(MAKE_DIRECTORY ${root})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${folder} SYMBOLIC)
    set(${variable} ${root} PARENT_SCOPE)
endfunction()

# nuce_rows(VARIABLE TABLE): the names of the rows X(NAME) of TABLE.def, a file of the current
# folder; CMake runs again when it changes.
function(nuce_rows variable table)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table}.def)
    file(STRINGS ${table}.def rows REGEX "^X[(]")
    list(TRANSFORM rows REPLACE "^X[(]([a-z0-9_]+).*" "\\1")
    set(${variable} ${rows} PARENT_SCOPE)
endfunction()

# nuce_registry(TARGET TABLE...): the file of each row becomes a source of TARGET, so that a new one
# needs no line here.
function(nuce_registry target)
    foreach(table IN LISTS ARGN)
        nuce_rows(rows ${table})
        list(TRANSFORM rows APPEND .c)
        target_sources(${target} PRIVATE ${rows})
    endforeach()
endfunction()

# nuce_program(NAME SOURCES...): an installed program.
function(nuce_program name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE nuce_flags)
    set_property(GLOBAL APPEND PROPERTY NUCE_PROGRAMS ${name})
endfunction()

# nuce_write_layers(FILE FOLDERS...): writes a line FOLDER: FOLDER... for each of the FOLDERS: the
# folders whose headers it may include, from the links of its targets. A test compares the document's
# table with it.
function(nuce_write_layers file)
    set(lines "")
    foreach(parent IN LISTS ARGN)
        get_property(folders DIRECTORY ${parent} PROPERTY SUBDIRECTORIES)
        foreach(folder IN LISTS folders ITEMS ${PROJECT_SOURCE_DIR}/${parent})
            get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
            set(linked "")
            foreach(target IN LISTS targets)
                get_target_property(libraries ${target} LINK_LIBRARIES)
                if(target MATCHES "_simulated$" OR NOT libraries)
                    continue()
                endif()
                foreach(library IN LISTS libraries)
                    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" library "${library}")
                    if(TARGET ${library} AND library MATCHES "^nuce_" AND NOT library STREQUAL "nuce_flags")
                        get_target_property(place ${library} SOURCE_DIR)
                        if(NOT place STREQUAL PROJECT_SOURCE_DIR)
                            list(APPEND linked ${place})
                        endif()
                    endif()
                endforeach()
            endforeach()
            if(targets)
                list(REMOVE_ITEM linked ${folder})
                list(REMOVE_DUPLICATES linked)
                list(SORT linked)
                string(REPLACE ";" " " linked "${folder}:;${linked}")
                string(REPLACE "${PROJECT_SOURCE_DIR}/" "" linked "${linked}")
                string(APPEND lines "${linked}\n")
            endif()
        endforeach()
    endforeach()
    file(WRITE ${file} "${lines}")
endfunction()
