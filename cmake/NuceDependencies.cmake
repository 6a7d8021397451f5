# Finds the libraries and programs that nuce needs; nothing is fetched. Optional libraries are
# second files selected here, never an #ifdef in a body.

# If MPICH and Open MPI are both installed, a bare mpicc may be either. MPICH, the tested one, is
# preferred. MPI_C_COMPILER and MPIEXEC_EXECUTABLE from the user override this.
find_program(NUCE_MPICH_COMPILER NAMES mpicc.mpich)
find_program(NUCE_MPICH_EXEC NAMES mpiexec.mpich)
mark_as_advanced(NUCE_MPICH_COMPILER NUCE_MPICH_EXEC)
if(NUCE_MPICH_COMPILER AND NOT DEFINED MPI_C_COMPILER)
    set(MPI_C_COMPILER ${NUCE_MPICH_COMPILER} CACHE FILEPATH "MPI compiler wrapper")
endif()
if(NUCE_MPICH_EXEC AND NOT DEFINED MPIEXEC_EXECUTABLE)
    set(MPIEXEC_EXECUTABLE ${NUCE_MPICH_EXEC} CACHE FILEPATH "MPI launcher")
endif()
find_package(MPI REQUIRED COMPONENTS C)
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(MPI_Neighbor_alltoallv_init mpi.h NUCE_MPI_HAS_NEIGHBOR_INIT)
check_symbol_exists(MPI_Neighbor_alltoallv_init_c mpi.h NUCE_MPI_HAS_LARGE_COUNTS)
# ScaLAPACK is a peer for comparison (pdgemr2d), if it exists for this MPI. A ScaLAPACK for another
# MPI would also link that MPI, so only MPICH's is searched for. NUCE_SCALAPACK may name a library;
# OFF: none.
check_symbol_exists(MPICH_VERSION mpi.h NUCE_MPI_IS_MPICH)
check_symbol_exists(OMPI_MAJOR_VERSION mpi.h NUCE_MPI_IS_OPENMPI)
unset(CMAKE_REQUIRED_LIBRARIES)
# The name of this build in sweeps (`mpi:`), and the launcher of its programs.
if(NUCE_MPI_IS_MPICH)
    set(mpi_name mpich)
elseif(NUCE_MPI_IS_OPENMPI)
    set(mpi_name openmpi)
else()
    set(mpi_name mpi)
endif()
set(NUCE_MPI_NAME ${mpi_name} CACHE STRING "Name of the MPI library, for 'mpi:' in sweeps")
if(NUCE_MPI_IS_MPICH)
    find_library(NUCE_SCALAPACK NAMES scalapack-mpich libscalapack-mpich.so.2.2
        DOC "ScaLAPACK for this MPI, for the peer pdgemr2d; OFF for none")
endif()
if(NOT NUCE_SCALAPACK)
    message(STATUS "ScaLAPACK for this MPI not found: nuce-redistribute without pdgemr2d "
        "(MPICH on Debian: apt install libscalapack-mpich-dev)")
endif()
# SCOTCH (CeCILL-C) is a peer for placements; if one of the three variables is OFF: none.
find_library(NUCE_SCOTCH scotch DOC "SCOTCH, for the peer of nuce-model mapping; OFF for none")
find_library(NUCE_SCOTCH_ERRORS scotcherr DOC "SCOTCH's messages")
find_path(NUCE_SCOTCH_HEADERS scotch.h PATH_SUFFIXES scotch DOC "SCOTCH's folder of headers")
if(NUCE_SCOTCH AND NUCE_SCOTCH_ERRORS AND NUCE_SCOTCH_HEADERS)
    set(NUCE_HAS_SCOTCH ON)
else()
    set(NUCE_HAS_SCOTCH OFF)
    message(STATUS "SCOTCH not found: nuce-model mapping without scotch "
        "(Debian: apt install libscotch-dev)")
endif()
# SimGrid runs the kernels on simulated machines. All parts of its programs are loaded once for each
# rank.
find_library(NUCE_SIMGRID simgrid DOC "SimGrid, for simulated machines; OFF for none")
find_path(NUCE_SMPI_HEADERS smpi_helpers.h PATH_SUFFIXES smpi DOC "SMPI's folder of headers")
find_program(NUCE_SMPIRUN smpirun DOC "SimGrid's launcher")
if(NUCE_SIMGRID AND NUCE_SMPI_HEADERS AND NUCE_SMPIRUN AND NOT NUCE_SANITIZE)
    set(NUCE_SIMULATED ON)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    add_compile_options(-fno-semantic-interposition) # as fast as without
else()
    set(NUCE_SIMULATED OFF)
    message(STATUS "No simulated machines: SimGrid not found (Debian: apt install libsimgrid-dev), "
        "or the sanitizers are on, which its launcher does not load")
endif()
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(METIS REQUIRED)
find_package(SQLite3 3.34 REQUIRED)
find_package(NuceJansson REQUIRED)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(SMARTCOLS REQUIRED IMPORTED_TARGET smartcols)
pkg_check_modules(LIBARCHIVE IMPORTED_TARGET libarchive)
if(NOT LIBARCHIVE_FOUND)
    message(FATAL_ERROR "libarchive not found: nuce bundle needs it "
        "(Debian, Ubuntu: apt install libarchive-dev; elsewhere: see PKG_CONFIG_PATH)")
endif()
pkg_check_modules(PAPI IMPORTED_TARGET papi)
if(NOT PAPI_FOUND)
    pkg_search_module(PAPI IMPORTED_TARGET papi-7.1 papi-7.0)
endif()
