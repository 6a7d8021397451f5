# The kernels once more, with SimGrid's SMPI for MPI: the same sources and other second files. A
# program is a library that smpirun loads once for each rank; it lies apart from the programs for
# real machines, under the same name.
if(NOT NUCE_SIMULATED)
    return()
endif()

add_library(nuce_smpi INTERFACE)
target_include_directories(nuce_smpi SYSTEM INTERFACE ${NUCE_SMPI_HEADERS})
# Its header puts the simulator's clock in the place of the system's.
target_compile_definitions(nuce_smpi INTERFACE SMPI_NO_OVERRIDE_MALLOC)
target_compile_options(nuce_smpi INTERFACE -include ${NUCE_SMPI_HEADERS}/smpi_helpers.h)
target_link_libraries(nuce_smpi INTERFACE ${NUCE_SIMGRID})

# nuce_simulated_module(NAME FOLDER MODULES...): the sources of nuce_NAME, which links MODULES.
function(nuce_simulated_module name)
    get_target_property(sources nuce_${name} SOURCES)
    list(FILTER sources EXCLUDE REGEX "(_none|_papi|neighbor|neighbor_persistent|watchdog)[.]c$")
    list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
    add_library(nuce_${name}_simulated STATIC ${sources})
    target_include_directories(nuce_${name}_simulated PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    target_link_libraries(nuce_${name}_simulated PUBLIC nuce_smpi ${ARGN} PRIVATE nuce_flags)
endfunction()

function(nuce_simulated_program name module)
    add_library(${name}_simulated MODULE ${CMAKE_CURRENT_SOURCE_DIR}/${module}/main.c)
    target_link_libraries(${name}_simulated PRIVATE nuce_${module}_simulated nuce_flags)
    set_target_properties(${name}_simulated PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/nuce/simulated)
    install(TARGETS ${name}_simulated DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/nuce/simulated)
endfunction()

nuce_simulated_module(run
    nuce_support nuce_schedules nuce_workloads PkgConfig::SMARTCOLS Threads::Threads m)
set(run ${CMAKE_CURRENT_SOURCE_DIR}/run)
target_sources(nuce_run_simulated PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/support/clock.c
    ${run}/counters_none.c
    ${run}/fault_none.c
    ${run}/neighbor_none.c
    ${run}/neighbor_persistent_none.c
    ${run}/pdgemr2d_none.c
    ${run}/simulation_smpi.c
    ${run}/watchdog_none.c)
target_include_directories(nuce_run_simulated PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/run)
add_dependencies(nuce_run_simulated nuce_revision)

nuce_simulated_module(exchange nuce_run_simulated nuce_meshes m)
nuce_simulated_module(redistribute nuce_run_simulated)
nuce_simulated_module(calibrate nuce_run_simulated m)
nuce_simulated_program(nuce-exchange exchange)
nuce_simulated_program(nuce-redistribute redistribute)
nuce_simulated_program(nuce-calibrate calibrate)

add_executable(nuce-platform ${CMAKE_CURRENT_SOURCE_DIR}/simulate/main.c)
target_link_libraries(nuce-platform PRIVATE nuce_support nuce_flags ${NUCE_SIMGRID})
set_target_properties(nuce-platform PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/nuce/simulated)
install(TARGETS nuce-platform DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/nuce/simulated)
