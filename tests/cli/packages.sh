#!/bin/sh
# The Spack recipe and the environment modules: each is read by its own language if that is installed, with stand-ins
# for Spack and the module commands.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

slurm=$here/../../slurm
checked=
if command -v python3 >/dev/null; then
    mkdir -p "$work/python/spack"
    : >"$work/python/spack/__init__.py"
    cat >"$work/python/spack/package.py" <<'EOF'
seen = {"depends_on": [], "variant": []}
def note(name):
    return lambda *words, **more: seen.setdefault(name, []).append(words[0])
depends_on, variant, version, license, conflicts = map(
    note, ["depends_on", "variant", "version", "license", "conflicts"])
class CMakePackage:
    def define(self, name, value):
        return "-D%s=%s" % (name, value)
EOF
    cat >"$work/recipe.py" <<'EOF'
import runpy, sys
import spack.package
names = runpy.run_path(sys.argv[1])
class Spec(list):
    pass
recipe = names["Nuce"]()
recipe.spec = Spec(["~scotch", "~simgrid"])
assert "-DNUCE_SCOTCH=OFF" in recipe.cmake_args(), recipe.cmake_args()
print("\n".join(spack.package.seen["depends_on"]))
EOF
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/python" python3 "$work/recipe.py" \
        "$slurm/spack/packages/nuce/package.py" >"$work/depends"
    # The recipe has all that cmake requires, by Spack's names.
    for package in mpi sqlite gnuplot libyaml jansson libarchive nettle metis util-linux xz zlib-api; do
        grep -qE "^$package([@+].*)?\$" "$work/depends" || fail "the recipe does not depend on $package"
    done
    checked="$checked spack"
fi
if command -v tclsh >/dev/null; then
    {
        echo 'proc module-whatis {text} {}; proc conflict {name} {}'
        # shellcheck disable=SC2016 # for tclsh
        echo 'proc prepend-path {name path} { puts "$name=$path" }'
        cat "$slurm/modules/nuce.tcl"
    } >"$work/module.tcl"
    tclsh "$work/module.tcl" >"$work/stdout"
    says stdout "PATH=/opt/nuce/bin"
    checked="$checked tcl"
fi
for lua in lua lua5.4 lua5.3; do
    command -v "$lua" >/dev/null || continue
    {
        echo 'help = print; whatis = print; conflict = print'
        echo 'function prepend_path(name, path) print(name .. "=" .. path) end'
        echo 'function pathJoin(a, b) return a .. "/" .. b end'
        cat "$slurm/modules/nuce.lua"
    } >"$work/module.lua"
    "$lua" "$work/module.lua" >"$work/stdout"
    says stdout "PATH=/opt/nuce/bin"
    checked="$checked lua"
    break
done
[ -n "$checked" ] || {
    echo "skipped: neither python3 nor tclsh nor lua is installed" >&2
    exit 77
}
echo "read:$checked"
