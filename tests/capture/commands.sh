#!/bin/sh
# Ways to start the application: a shell, a script, a launcher of the user's, a command before the launcher.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile
nuce=$programs/nuce
# tried COMMAND...: it is captured as if its launcher stood there.
tried() {
    rm -rf counts
    mkdir counts
    expect 0 "$nuce" capture -o run.capture -- "$@"
    cp stderr told
    expect 0 "$nuce" export run.capture --format json
    mv stdout run.json
    got=$(python3 "$here/compare.py" run.json counts) || fail "$*: the messages are not the same"
    [ "$got" = "exact 14 merged 0 epoch 0" ] || fail "$*: $got"
}
printf '#!/bin/sh\n# starts it\nexec "%s" -n 4 ./styles waitall counts\n' "$mpiexec" >script.sh
printf '#!/bin/sh\nexec "%s" "$@"\n' "$mpiexec" >my-mpirun
mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v "$mpiexec")" >bin/mpiexec
# shellcheck disable=SC2016 # the script's own variables
printf '#!/bin/sh\nlauncher=mpi\n"$launcher"exec -n 4 ./styles waitall counts\n' >silent.sh
chmod +x script.sh my-mpirun bin/mpiexec silent.sh
tried sh -c "cd . && $mpiexec -n 4 ./styles waitall counts"
tried ./script.sh
tried sh ./script.sh
tried env KEY=value "$mpiexec" -n 4 ./styles waitall counts
tried ./my-mpirun -n 4 ./styles waitall counts
tried "$mpiexec" -n 4 sh -c './styles waitall counts'
# Where nothing says it, the mpiexec in PATH does.
PATH=$work/bin:$PATH tried ./silent.sh

# A script that starts another MPI library than expected gets a message that says what to do.
for other in mpich openmpi; do
    [ "$other" != "$mpi" ] || continue
    command -v "mpicc.$other" >/dev/null || continue
    "mpicc.$other" -w -O1 -o other "$here/$source" -lpthread
    # shellcheck disable=SC2016 # likewise
    printf '#!/bin/sh\n[ -n "$none" ] && %s\nprogram=other\n"./$program" waitall\n' "$mpiexec" >wrong.sh
    chmod +x wrong.sh
    expect 2 "$nuce" capture -o x.capture -- ./wrong.sh
    says stderr "./wrong.sh was taken for a script that starts "
    says stderr "write 'nuce capture --' before the mpiexec in it"
done
expect 2 "$nuce" capture -o x.capture -- sh -c "LD_PRELOAD= $mpiexec -n 2 ./styles waitall"
says stderr "or LD_PRELOAD did not reach it"
