-- An environment module (Lmod). Put it into a folder of MODULEPATH as nuce/VERSION.lua and say where
-- nuce was installed (cmake --install build/release --prefix PREFIX).
local prefix = "/opt/nuce"

help([[Benchmarks for nonuniform computational environments: 'nuce doctor' says what is there,
'nuce --help' what can be done.]])
whatis("Name: nuce")
whatis("Description: benchmarks for nonuniform computational environments")

conflict("nuce")
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("XDG_DATA_DIRS", pathJoin(prefix, "share"))
