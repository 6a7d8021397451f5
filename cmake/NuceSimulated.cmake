# Builds the kernels a second time, with SimGrid's SMPI as MPI: the same sources with other second
# files. A program is a library that smpirun loads once for each rank. It has the same name as the
# program for real machines, in another folder. Without SimGrid these functions do nothing.
if(NUCE_SIMULATED)
    add_library(nuce_smpi INTERFACE)
    target_include_directories(nuce_smpi SYSTEM INTERFACE ${NUCE_SMPI_HEADERS})
    # Its header replaces the system's clock by the simulator's.
    target_compile_definitions(nuce_smpi INTERFACE SMPI_NO_OVERRIDE_MALLOC)
    target_compile_options(nuce_smpi INTERFACE -include ${NUCE_SMPI_HEADERS}/smpi_helpers.h)
    target_link_libraries(nuce_smpi INTERFACE ${NUCE_SIMGRID})
endif()

# nuce_simulated_module(NAME [WITHOUT FILES... OTHER FILES...] LINKS MODULES...): makes
# nuce_NAME_simulated, in the folder of nuce_NAME. It has the same sources, with the second files
# OTHER instead of WITHOUT, and is linked with MODULES.
function(nuce_simulated_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arguments "" "" "WITHOUT;OTHER;LINKS")
    if(NOT NUCE_SIMULATED)
        return()
    endif()
    get_target_property(sources nuce_${name} SOURCES)
    if(arguments_WITHOUT)
        list(REMOVE_ITEM sources ${arguments_WITHOUT})
    endif()
    add_library(nuce_${name}_simulated STATIC ${sources} ${arguments_OTHER})
    nuce_include_root(root)
    target_include_directories(nuce_${name}_simulated PUBLIC ${root})
    target_link_libraries(nuce_${name}_simulated PUBLIC nuce_smpi ${arguments_LINKS}
        PRIVATE nuce_flags)
endfunction()

# nuce_install_simulated(TARGET): installs a library for smpirun. Debian's CMake installs libraries without the
# permission to execute them, by which nuce finds them.
function(nuce_install_simulated target)
    install(TARGETS ${target} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/nuce/simulated
        PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

# nuce_simulated_program(PROGRAM MODULE SOURCE): links SOURCE of the current folder with
# nuce_MODULE_simulated. A program that can be simulated is a kernel, so it is part of nuce-kernels, the
# target that each MPI library needs.
function(nuce_simulated_program name module source)
    add_dependencies(nuce-kernels ${name})
    if(NOT NUCE_SIMULATED)
        return()
    endif()
    add_library(${name}_simulated MODULE ${source})
    target_link_libraries(${name}_simulated PRIVATE nuce_${module}_simulated nuce_flags)
    # A function without a second version fails here, and not when smpirun first calls it.
    target_link_options(${name}_simulated PRIVATE -Wl,-z,defs)
    set_target_properties(${name}_simulated PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/nuce/simulated)
    nuce_install_simulated(${name}_simulated)
endfunction()

# nuce_workload(SOURCES...): makes the current folder the workload with its name. NAME.c, the
# description without MPI, becomes part of nuce_workloads. The SOURCES run the workload, and main.c
# becomes nuce-NAME.
function(nuce_workload)
    get_filename_component(name ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    nuce_module(${name})
    target_sources(nuce_${name} PRIVATE ${ARGN})
    target_link_libraries(nuce_${name} PUBLIC nuce_program)
    nuce_include_root(root)
    target_sources(nuce_workloads PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${name}.c)
    target_include_directories(nuce_workloads PRIVATE $<BUILD_INTERFACE:${root}>)
    nuce_program(nuce-${name} main.c)
    target_link_libraries(nuce-${name} PRIVATE nuce_${name} nuce_fault_none)
    nuce_simulated_module(${name} LINKS nuce_program_simulated)
    nuce_simulated_program(nuce-${name} ${name} main.c)
endfunction()
