# Spack's recipe of nuce:
#   spack repo add FOLDER-OF-NUCE/slurm/spack
#   spack dev-build nuce@main        in the folder of nuce's sources
from spack.package import *


class Nuce(CMakePackage):
    """Benchmarks for nonuniform computational environments: communication schedules, decompositions
    and redistributions of four papers and of today, measured under MPI, swept by Slurm jobs, kept
    in SQLite and drawn by gnuplot."""

    license("MIT")

    version("main")

    variant("papi", default=True, description="count hardware events")
    variant("scotch", default=False, description="SCOTCH as a peer for placements")
    variant("scalapack", default=False, description="ScaLAPACK's pdgemr2d as a peer (MPICH only)")
    variant("simgrid", default=False, description="run the kernels on simulated machines")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("mpi@3.1:")
    depends_on("sqlite@3.34:")
    depends_on("gnuplot+cairo", type=("build", "run"))
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("libarchive")
    depends_on("nettle@3")
    depends_on("metis@5:")
    depends_on("util-linux")  # libsmartcols
    depends_on("zlib-api")
    depends_on("xz")  # liblzma
    depends_on("papi", when="+papi")
    depends_on("scotch~mpi", when="+scotch")
    depends_on("netlib-scalapack", when="+scalapack")
    depends_on("simgrid+smpi", when="+simgrid")

    conflicts("+scalapack", when="^openmpi", msg="ScaLAPACK is used with MPICH only")

    def cmake_args(self):
        args = [self.define("BUILD_TESTING", False)]
        if "+scalapack" in self.spec:
            args.append(self.define("NUCE_SCALAPACK", self.spec["scalapack"].libs[0]))
        else:
            args.append(self.define("NUCE_SCALAPACK", "OFF"))
        if "~scotch" in self.spec:
            args.append(self.define("NUCE_SCOTCH", "OFF"))
        if "~simgrid" in self.spec:
            args.append(self.define("NUCE_SIMGRID", "OFF"))
        return args
