#!/bin/sh
# The chain of docs/how-to/tune.md under Slurm, on particles.c: srun starts the application below nuce capture, apply
# and advise --check; a job races its exchange.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
command -v mpicc.mpich >/dev/null || {
    echo "skipped: mpicc.mpich is not installed" >&2
    exit 77
}
up --nodes 2
profile
mpicc.mpich -O2 "$project/docs/how-to/particles.c" -o app

# nuce on the control node, whose srun starts the ranks.
in_job() {
    cluster exec control -- env UCX_TLS=tcp UCX_NET_DEVICES=eth0 \
        "LD_PRELOAD=$build/tests/polite/libnuce_test_polite.so" "$programs/nuce" "$@"
}

expect 0 in_job capture --output app.capture -- srun -N 2 -n 2 ./app 20
says "0 particles lost"
says "2 ranks on 2 hosts for"
says ", MPICH 4"
expect 0 nuce advise app.capture
says "nuce advise app.capture >app.yaml; nuce submit app.yaml; nuce status --watch; nuce collect; nuce advise app.capture"
sed "s/^name: app/name: $name/" said >app.yaml
echo 'measure: {launches: 2, warmup: 0, min-samples: 2, max-samples: 2}' >>app.yaml
expect 0 nuce submit app.yaml --profile profile.yaml
eventually 120 no_jobs
expect 0 nuce collect
expect 0 nuce advise app.capture --disturbed
says "exchange app.capture@"

# What is advised depends on the machine.
printf 'nuce-tuning 1\nalltoallv ranks=2 bytes=1..1000 degree=1..1 schedule=ac\n' >app.tuning
expect 0 in_job apply --tuning app.tuning -- srun -N 2 -n 2 ./app 20
says "0 particles lost"
same "calls, replaced, left" "$(tr -s ' ' <said | grep '^alltoallv ')" "alltoallv 20 20 0"
status=0
in_job advise --check app.tuning --budget 1us -- srun -N 2 -n 2 ./app 20 >said 2>&1 || status=$?
cat said
case $status in
0) says "app.tuning: 1 rule holds: the application is faster: " ;;
1 | 3) says "app.tuning: 1 rule withdrawn: the application is " ;;
*) fail "the check ended with $status" ;;
esac
