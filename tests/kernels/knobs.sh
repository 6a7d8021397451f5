#!/bin/sh
# The settings that 'nuce advise' writes take effect on MPI_Alltoallv: a program that is started with exactly these lines
# has as many messages in flight as the advised schedule. Usage: knobs.sh PROGRAMS tests/cli MPIEXEC held_back[.c]
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
mpiexec=$3 held_back=$4
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
case $held_back in
*.c)
    for command in "$mpiexec" mpicc.openmpi; do
        command -v "$command" >/dev/null || {
            echo "skipped: $command is not installed" >&2
            exit 77
        }
    done
    mpicc.openmpi -O1 -o held_back "$held_back" -lpthread || fail "$held_back does not compile"
    held_back=./held_back
    ;;
esac

# advised WINNER RANKS: races of RANKS that WINNER wins, and the advice in app.tuning.env.
advised() {
    rm -rf campaigns nuce.db app.tuning app.tuning.env
    cat >app.yaml <<EOF
name: app
workload: exchange
ranks: [$2]
sweep:
  - {schedule: [alltoallv, lp, ac], pattern: uniform, degree: 1, item-bytes: 16B}
  - {schedule: ac, in-flight: 2, pattern: uniform, degree: 1, item-bytes: 16B}
measure: {launches: 3}
EOF
    expect 0 launch run app.yaml
    python3 "$here/remake.py" app.1 0 "$1=0.6" <"$here/made_up_race.py"
    rm -f nuce.db
    expect 0 nuce collect
    expect 0 nuce advise app --write app.tuning
    [ -s app.tuning.env ] || fail "$1 of $2 ranks under $library: no setting"
}

# finds WHAT RANKS LATE WATCHED: without the lines the other thing. Only 'held' has to wait for its seconds.
finds() {
    for lines in /dev/null ./app.tuning.env; do
        due=$1
        [ "$lines" != /dev/null ] || case $1 in early) due=held ;; *) due=early ;; esac
        seconds=1
        [ "$due" = held ] || seconds=60
        rm -f release
        # shellcheck disable=SC2016 # the shell that reads the lines expands it
        sh -c '. "$0" && exec "$@"' "$lines" "$mpiexec" -n "$2" "$held_back" "$3" "$4" "$seconds" >found ||
            fail "$lines: not started"
        same "$(grep -v '^#' "$lines" | tr '\n' ' ')on $2 ranks" "$(cat found)" "$due"
    done
}

library=$("$mpiexec" -n 1 "$held_back" | tr -d '\t')
export FAKE_MPI="$library" FAKE_OTHERS=1 # the environment then has its processors
case $library in
MPICH*)
    advised lp 4
    finds held 4 1 2
    advised "ac in-flight 2" 4
    finds held 4 1 2
    ;;
Open\ MPI*)
    advised ac 2
    finds early 3 2 1
    advised lp 4
    finds held 4 3 1
    ;;
*)
    echo "$library: no setting is known" >&2
    exit 77
    ;;
esac
