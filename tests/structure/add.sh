#!/bin/sh
# add.sh SOURCE-FOLDER BUILD-FOLDER EXAMPLE-FOLDER MPIEXEC: the recipes of CONTRIBUTING.md for adding things work end
# to end. EXAMPLE-FOLDER holds the new and changed files (apply.sh), the programs made with them (CMakeLists.txt) in
# bin, and tests that loop over the registries.
set -eu

source_folder=$1
build=$2
example=$3
mpiexec=$4
if ! git -C "$source_folder" rev-parse --git-dir >/dev/null 2>&1; then
    echo "skipped: not a git working copy" >&2
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Only the document's steps changed the tree, and the tree's rules still hold.
mkdir tree
git -C "$source_folder" ls-files -z | (cd "$source_folder" && xargs -0 tar cf -) | tar xf - -C tree
sh "$source_folder/tests/structure/apply.sh" "$source_folder" applied tuning-option sweep-key >files
diff -r applied "$example/applied" || fail "the example was made of another document"
sh "$source_folder/tests/structure/apply.sh" "$source_folder" applied >files
cp -r applied/. tree
sh tree/tests/structure/structure.sh registries "$folder/tree" "$build" || fail "structure.registries"
if command -v clang-format-14 >/dev/null; then
    find applied -name '*.[ch]' -exec clang-format-14 --style="file:$source_folder/.clang-format" \
        --dry-run --Werror {} + || fail "structure.format"
fi

# Each addition touches only these: a file and a row, one file, or a folder and a row.
cat >wanted <<'END'
decomposition kernels/instances/decompositions.def
decomposition kernels/instances/shelves.c
measured-quantity kernels/schedules/schedule_results.c
schedule kernels/schedules/reverse.c
schedule kernels/schedules/schedules.def
sweep-key kernels/points/exchange.c
sweep-key kernels/points/exchange_instance.c
sweep-key kernels/points/workload.h
tuning-option kernels/schedules/reverse.c
tuning-option kernels/schedules/tuning.inc
workload kernels/points/workloads.def
workload kernels/ring/CMakeLists.txt
workload kernels/ring/main.c
workload kernels/ring/ring.c
workload kernels/ring/ring.h
workload kernels/ring/ring_run.c
END
sort -u files | diff wanted - || fail "other files than promised"
cat wanted
added() { # FILE: the lines that are new in it; none is gone
    diff "$source_folder/$1" "applied/$1" | sed -n '/^[0-9]/!p' >lines || true
    ! grep '^<' lines || fail "$1: lines are gone"
    wc -l <lines
}
[ "$(added kernels/schedules/schedule_results.c)" -eq 2 ] || fail "a quantity is more than two lines"
[ "$(added kernels/schedules/tuning.inc)" -eq 3 ] || fail "a tuning option is more than its row"
[ "$(added kernels/points/exchange.c)" -eq 3 ] || fail "a sweep key is more than its row"
[ "$(added kernels/points/workload.h)" -eq 1 ] || fail "the value of a sweep key is more than a line"
for table in schedules/schedules instances/decompositions points/workloads; do
    [ "$(added kernels/$table.def)" -eq 1 ] || fail "$table.def: more than a row"
done

# CMake needs no line for them. ccache, if it is used, knows the files in whatever folder they are.
export CCACHE_BASEDIR="$folder" CCACHE_NOHASHDIR=1
cmake -S tree -B configured -DBUILD_TESTING=OFF -DCMAKE_C_FLAGS="-O0 -w" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >configure.log 2>&1 || {
    cat configure.log >&2
    fail "cmake"
}
for file in schedules/reverse instances/shelves ring/ring ring/ring_run ring/main; do
    grep -q "\"file\": .*/kernels/$file\.c\"" configured/compile_commands.json || fail "$file.c is not built"
done

# The folders of the tree with them: headers that CMake made come from the build.
mkdir checked
ln -s "$build"/* checked
ln -sf "$folder/configured/layers.txt" checked
sh tree/tests/structure/structure.sh layers "$folder/tree" "$folder/checked" || fail "structure.layers"

# The tuning option: all ranks post as ac has it, and where it means nothing it is left out.
cmake --build configured --target nuce-model -j2 >build.log 2>&1 || {
    tail -40 build.log >&2
    fail "it does not build"
}
emit() { # OPTION...: the transfers of a schedule
    find configured -name nuce-model -type f -exec {} schedule "$@" --pattern uniform --ranks 8 --degree 3 \
        --emit-schedule --format json \; | grep -o '"schedule":\[[^]]*]'
}
emit --schedule ac --forward-ranks 8 >as-ac
emit --schedule reverse --forward-ranks 8 >as-forward
emit --schedule reverse >as-reverse
[ -s as-ac ] || fail "no transfers"
cmp as-ac as-forward || fail "forward-ranks does not say what ranks do"
! cmp -s as-reverse as-forward || fail "forward-ranks changes nothing"

# The sweep key: messages are as many times as long.
printf '2\n0 1 100\n1 0 30\n' >two.com
scaled() { # OPTION...
    find configured -name nuce-model -type f -exec {} schedule --schedule ac --com two.com --format json "$@" \;
}
scaled --times 3 | grep -q '"bytes":390,' || fail "times does not say how long messages are"
scaled | grep -q '"bytes":130,' || fail "times is not 1 where it is not said"
scaled --times 0 2>refused || true
grep -q "times: '0'" refused || fail "a wrong value of times is not refused"

# The schedule: list, run and model have it.
"$example/bin/nuce" list schedules --format csv | grep -q "^reverse," || fail "nuce list does not show it"
"$mpiexec" -n 3 "$example/bin/nuce-exchange" --schedule ac,reverse --pattern uniform --degree 2 \
    --item-bytes 1KiB --min-samples 2 --max-samples 4 --format json >ran || fail "nuce-exchange"
grep '"schedule":"reverse"' ran | grep -q '"status":"ok"' || fail "its run is not ok"
"$example/bin/nuce-model" schedule --schedule reverse --pattern uniform --ranks 8 --degree 2 --item-bytes 1KiB \
    --format json >modelled || fail "nuce-model"
grep -q '"schedule":"reverse"' modelled || fail "it is not modelled"

# The decomposition: 3 borders of 3000 cells between 4 equal parts.
"$example/bin/nuce-model" arrays --decomposition shelves --rows 1000 --columns 3000 --weights 1,1,1,1 \
    --format json >modelled || fail "nuce-model"
grep '"decomposition":"shelves"' modelled | grep -q '"acost":9000\.0,' || fail "its borders are not 9000 long"

# The tests that loop over the tables of schedules and decompositions.
for test in test_property_schedules test_unit_arrays_algorithms; do
    "$example/bin/$test" >tested 2>&1 || {
        cat tested >&2
        fail "$test"
    }
done

# The workload: list, a sweep and the database have it, and in it the quantity.
"$example/bin/nuce" list workloads --format csv | grep -q "^ring,nuce-ring," || fail "nuce list does not show it"
cat >sweep.yaml <<'END'
name: added
workload: ring
ranks: [3]
sweep:
  size: [2KiB, 3MiB]
measure: {launches: 1, min-samples: 2, max-samples: 3}
END
"$example/bin/nuce" run sweep.yaml --mpiexec "$mpiexec" >ran 2>&1 || {
    cat ran >&2
    fail "nuce run"
}
"$example/bin/nuce" query "SELECT json_extract(metrics, '\$.mean_bytes') AS mean FROM result
    WHERE workload = 'ring' AND step_s > 0 ORDER BY 1" --format csv >found || fail "nuce query"
printf 'mean\n2048\n3145728\n' | diff - found || fail "the database does not have it"
! "$mpiexec" -n 1 "$example/bin/nuce-ring" >ran 2>&1 || fail "a ring of one rank"
grep -q "ranks: '1': a ring has at least 2" ran || fail "it does not say why"
