# What every target of ours shares. A module's include folder is its own folder and those of the
# modules it links: a header of a module that is not linked cannot be included.

add_library(nuce_flags INTERFACE)
target_compile_definitions(nuce_flags INTERFACE _GNU_SOURCE)
target_compile_options(nuce_flags INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
    -Wwrite-strings -Wformat=2
    $<$<BOOL:${NUCE_WERROR}>:-Werror>)
if(NUCE_SANITIZE)
    target_compile_options(nuce_flags INTERFACE -fsanitize=address,undefined
        -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(nuce_flags INTERFACE -fsanitize=address,undefined)
endif()
if(NUCE_FUZZ)
    target_compile_options(nuce_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# nuce_module(NAME): an empty static library for the current folder; the caller adds target_sources
# and target_link_libraries.
function(nuce_module name)
    add_library(nuce_${name} STATIC)
    target_include_directories(nuce_${name} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>)
    target_link_libraries(nuce_${name} PRIVATE $<BUILD_INTERFACE:nuce_flags>)
endfunction()

# nuce_program(NAME SOURCES...): an installed program.
function(nuce_program name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE nuce_flags)
    set_property(GLOBAL APPEND PROPERTY NUCE_PROGRAMS ${name})
endfunction()

# nuce_data(ITEMS...): files and folders of the current folder that programs look for by
# nuce_data_path: linked below share/nuce in the build tree, installed below share/nuce.
function(nuce_data)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/nuce)
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/share/nuce/${folder} SYMBOLIC)
    foreach(item IN LISTS ARGN)
        if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${item})
            install(DIRECTORY ${item} DESTINATION ${CMAKE_INSTALL_DATADIR}/nuce/${folder})
        else()
            install(FILES ${item} DESTINATION ${CMAKE_INSTALL_DATADIR}/nuce/${folder})
        endif()
    endforeach()
endfunction()
