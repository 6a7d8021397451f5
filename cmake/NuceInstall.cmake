# The files of `cmake --install` and their folders, and the same tree of data next to the programs
# of a build.
include(CMakePackageConfigHelpers)

get_property(programs GLOBAL PROPERTY NUCE_PROGRAMS)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# nuce::algorithms: all code without MPI as one library for other projects. Each object is listed
# once; inside the tree the modules stay separate.
set(algorithm_modules
    support arrays networks platforms recorder schedules capture layouts mapping meshes workloads)
add_library(nuce_algorithms STATIC)
set_target_properties(nuce_algorithms PROPERTIES EXPORT_NAME algorithms LINKER_LANGUAGE C)
target_include_directories(nuce_algorithms INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nuce>)
target_link_libraries(nuce_algorithms PUBLIC
    nuce::jansson PkgConfig::NETTLE ZLIB::ZLIB LibLZMA::LibLZMA METIS::METIS m)
foreach(module IN LISTS algorithm_modules)
    target_sources(nuce_algorithms PRIVATE $<TARGET_OBJECTS:nuce_${module}>)
endforeach()
foreach(room base schedules mapping instances capture points)
    install(DIRECTORY kernels/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nuce
        FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "grid*.h" EXCLUDE)
endforeach()
install(FILES kernels/programs/platform.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nuce/programs)
install(TARGETS nuce_algorithms EXPORT nuceTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nuce)
install(EXPORT nuceTargets NAMESPACE nuce:: DESTINATION ${package_folder})
configure_package_config_file(cmake/nuceConfig.cmake.in ${PROJECT_BINARY_DIR}/nuceConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nuceConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nuceConfig.cmake ${PROJECT_BINARY_DIR}/nuceConfigVersion.cmake
    cmake/FindMETIS.cmake cmake/FindNuceJansson.cmake DESTINATION ${package_folder})

# libnuce_mpi, shared and static, for pkg-config and CMake. An installation may be moved.
set(library_private "-ljansson -lnettle -lm") # libraries of nuce beside MPI
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE library_prefix)
configure_file(cmake/nuce_mpi.pc.in ${PROJECT_BINARY_DIR}/nuce_mpi.pc @ONLY)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nuce_mpi)
configure_package_config_file(cmake/nuce_mpiConfig.cmake.in ${PROJECT_BINARY_DIR}/nuce_mpiConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nuce_mpiConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(TARGETS nuce_mpi EXPORT nuce_mpiTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT nuce_mpiTargets NAMESPACE nuce:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/nuce_mpiConfig.cmake ${PROJECT_BINARY_DIR}/nuce_mpiConfigVersion.cmake
    DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/nuce_mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES kernels/library/nuce_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT NUCE_SANITIZE)
    install(FILES ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libnuce_mpi.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# Data: installed, and linked next to the programs of the build, so that both find it in the same
# way.
set(data_folder ${CMAKE_INSTALL_DATADIR}/nuce)
install(DIRECTORY configs plots DESTINATION ${data_folder})
install(DIRECTORY slurm DESTINATION ${data_folder} USE_SOURCE_PERMISSIONS
    PATTERN spack EXCLUDE PATTERN modules EXCLUDE)
install(DIRECTORY db DESTINATION ${data_folder} FILES_MATCHING PATTERN "*.sql")
install(DIRECTORY kernels/capture/convert DESTINATION ${data_folder})
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/nuce)
foreach(folder configs plots slurm db kernels/capture/convert)
    cmake_path(GET folder FILENAME name)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/nuce/${name}
        SYMBOLIC)
endforeach()

# The MPI library of this build (harness/campaigns/builds.h).
file(WRITE ${PROJECT_BINARY_DIR}/share/nuce/mpi.conf
    "name ${NUCE_MPI_NAME}\nlauncher ${MPIEXEC_EXECUTABLE}\n")
install(FILES ${PROJECT_BINARY_DIR}/share/nuce/mpi.conf DESTINATION ${data_folder})

foreach(file LICENSE README.md CONTRIBUTING.md CITATION.cff)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages are made from --help, so that they cannot differ from it. Builds with sanitizers make
# none, because their programs may be slow, or stop at a leak of a library.
if(NUCE_SANITIZE)
    return()
endif()
set(sweep_page ${PROJECT_BINARY_DIR}/man/nuce-sweep.5)
add_custom_command(OUTPUT ${sweep_page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/make-sweep-page.sh ${PROJECT_SOURCE_DIR}/docs/sweep.md
        ${PROJECT_VERSION} ${sweep_page} $<TARGET_FILE:nuce>
    DEPENDS docs/sweep.md cmake/make-sweep-page.sh cmake/man-from-markdown.sh cmake/key-tables.sh nuce VERBATIM)
set(library_page ${PROJECT_BINARY_DIR}/man/nuce_mpi.3)
add_custom_command(OUTPUT ${library_page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/make-library-page.sh ${PROJECT_SOURCE_DIR}/docs/how-to/library.md
        ${PROJECT_VERSION} ${library_page} ${PROJECT_SOURCE_DIR}/kernels/library/nuce_mpi.h
        ${PROJECT_SOURCE_DIR}/tests/install/library/exchange.c
    DEPENDS docs/how-to/library.md cmake/make-library-page.sh cmake/man-from-markdown.sh
        kernels/library/nuce_mpi.h tests/install/library/exchange.c VERBATIM)
add_custom_target(nuce_document_pages ALL DEPENDS ${sweep_page} ${library_page})
install(FILES ${sweep_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
install(FILES ${library_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
find_program(HELP2MAN_EXECUTABLE help2man)
mark_as_advanced(HELP2MAN_EXECUTABLE)
if(NOT HELP2MAN_EXECUTABLE)
    message(STATUS "help2man not found: no manual pages (Debian: apt install help2man)")
    return()
endif()
foreach(program IN LISTS programs)
    set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/make-man-page.sh
            ${HELP2MAN_EXECUTABLE} $<TARGET_FILE:${program}> ${page}
        DEPENDS ${program} cmake/make-man-page.sh VERBATIM)
    list(APPEND pages ${page})
endforeach()
nuce_rows(subcommands harness/commands/subcommands)
foreach(subcommand IN LISTS subcommands)
    set(page ${PROJECT_BINARY_DIR}/man/nuce-${subcommand}.1)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
        COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/make-man-page.sh
            ${HELP2MAN_EXECUTABLE} $<TARGET_FILE:nuce> ${page} ${subcommand}
        DEPENDS nuce cmake/make-man-page.sh harness/commands/subcommands.def VERBATIM)
    list(APPEND pages ${page})
endforeach()
add_custom_target(nuce_man ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
