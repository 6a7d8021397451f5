#%Module1.0
# An environment module (Environment Modules, or Lmod). Put it into a folder of MODULEPATH as
# nuce/VERSION, and set the folder where nuce was installed (cmake --install build/release --prefix
# PREFIX).
set prefix /opt/nuce

proc ModulesHelp {} {
    puts stderr "Benchmarks for nonuniform computational environments: 'nuce doctor' lists what this"
    puts stderr "machine has, 'nuce --help' the subcommands."
}
module-whatis "benchmarks for nonuniform computational environments"

conflict nuce
prepend-path PATH $prefix/bin
prepend-path MANPATH $prefix/share/man
prepend-path CMAKE_PREFIX_PATH $prefix
prepend-path XDG_DATA_DIRS $prefix/share
