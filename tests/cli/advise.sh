#!/bin/sh
# nuce advise: a capture that has not raced gives its sweep; synthetic races give advice, a tuning file with its
# evidence, and no rule if they were disturbed.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# A capture without a race, with and without a database.
printf '0,64\n64,0\n' >matrix.csv
expect 0 nuce capture import matrix.csv --output "it's.capture"
prints "# No race of it's.capture is in the database." nuce advise "it's.capture"
cp "$work/stdout" it.yaml
prints "points       9" nuce plan it.yaml
gives_up "no exchange of it raced" nuce advise "it's.capture" --format json
gives_up "no exchange of it raced" nuce advise "it's.capture" --write it.tuning
refuses "no.capture: no such file: expected a capture" nuce advise no.capture
refuses "no database yet" nuce advise app
[ ! -e it.tuning ] || fail "a file of nothing"

# Races: tuna takes 0.6 of alltoallv, ac as long as it.
cat >app.yaml <<EOF
name: app
workload: exchange
ranks: [2]
sweep: {schedule: [alltoallv, ac, tuna], pattern: uniform, degree: 1, item-bytes: [16B, 32B, 64B]}
measure: {launches: 3}
EOF
export FAKE_OTHERS=1 # the environment then has its processors
expect 0 launch run app.yaml
race() {
    python3 "$here/remake.py" app.1 "$1" tuna=0.6 <"$here/made_up_race.py"
    rm -f nuce.db
    expect 0 nuce collect
}
race 0
prints "item-bytes 16 B: tuna." nuce advise app
says stdout "tuna to alltoallv, the library's call: 0.60x ["
says stdout "Its schedule takes 1.00 ms once and pays after 2 calls."
expect 0 nuce advise app.1 --format json
same "lines" "$(grep -c '"advice":"tuna"' "$work/stdout")" 3
expect 0 nuce advise app --write app.tuning
head -n 1 app.tuning | grep -qx 'nuce-tuning 1' || fail "no head"
grep -qEx 'alltoallv ranks=2 pattern=0000000000000010 schedule=tuna call-time=0.002s ratio=0\.60[23][0-9]*' app.tuning ||
    fail "no rule with the times of its race"
grep -qx 'alltoallv ranks=2 bytes=16..64 degree=1..1 schedule=tuna' app.tuning || fail "no class"
grep -q '^#   tuna: ratio 0.60x \[' app.tuning || fail "no evidence"
same "rules" "$(grep -c "^alltoallv " app.tuning)" 4

# Other load: no rule, and an older file stays; --disturbed takes it, and the file says so.
race 1.5
prints "leave it (alltoallv)" nuce advise app
says stdout "Not taken: other load in 3 of 3 launches."
cp app.tuning kept
gives_up "no rule to write" nuce advise app --write app.tuning
cmp -s kept app.tuning || fail "the file has changed"
prints "item-bytes 16 B: tuna." nuce advise app --disturbed --write app.tuning
grep -q '^#   other load in 3 launches' app.tuning || fail "the file hides the load"

# What nuce apply refuses gets no rule.
sed 's/^name: app/name: puts/; s/ac, tuna/rma/; s/, 32B, 64B//' app.yaml >puts.yaml
expect 0 launch run puts.yaml
python3 "$here/remake.py" puts.1 0 rma=0.6 <"$here/made_up_race.py"
expect 0 nuce collect
prints "rma to alltoallv, the library's call: 0.60x [" nuce advise puts
gives_up "no rule to write" nuce advise puts --write puts.tuning

# A report has the advice.
expect 0 nuce report app --output page.html
grep -q 'leave it (alltoallv)' page.html || fail "no advice on the page"

# The setting of MPICH nearest to the advice: lines beside the tuning file, and its own ratio where it raced. What raced
# under the setting has no advice, which would contradict that on the call as it is.
knobs() { # MPI FACTORS...
    export FAKE_MPI="$1"
    rm -rf campaigns nuce.db
    expect 0 launch run knobs.yaml
    shift
    python3 "$here/remake.py" knobs.1 0 "$@" <"$here/made_up_race.py"
    rm -f nuce.db
    expect 0 nuce collect
    expect 0 nuce advise knobs --write knobs.tuning
}
cat >knobs.yaml <<EOF
name: knobs
workload: exchange
ranks: [4]
sweep:
  - {schedule: [alltoallv, lp], pattern: uniform, degree: 1, item-bytes: [16B, 32B]}
  - {schedule: ac, in-flight: 2, pattern: uniform, degree: 1, item-bytes: [16B, 32B]}
measure: {launches: 3}
EOF
setting=MPIR_CVAR_ALLTOALL_THROTTLE
knobs "MPICH Version: 4.0.2" "ac in-flight 2=0.6"
says stdout "Nearest setting, for each MPI_Alltoallv of the program: $setting=2"
says stdout "Not raced: nuce race -- mpiexec -n 4 ./app -- env $setting=2 mpiexec -n 4 ./app"
grep -qx "#   not raced: nuce race -- .*" knobs.tuning.env || fail "not said that it has not raced"
same "lines" "$(grep -v '^#' knobs.tuning.env | sort -u)" "export $setting=2"

# Different ones are not set, and none replaces an older file.
knobs "MPICH Version: 4.0.2" "ac in-flight 2 32=0.6" "lp 16=0.6"
same "lines" "$(grep -cx "# export $setting=[12]" knobs.tuning.env)" 2
grep -qx "# The exchanges need different settings: none is set here." knobs.tuning.env || fail "not said why"
same "lines" "$(grep -vc '^#' knobs.tuning.env)" 0
knobs "Another MPI 1.0" lp=0.6
! grep export knobs.tuning.env || fail "a setting of another MPI library"
knobs "Open MPI v4.1.4" lp=0.6
same "lines" "$(grep -v '^#' knobs.tuning.env | sort -u | tr '\n' ' ')" "export OMPI_MCA_coll_tuned_alltoallv_algorithm=2 \
export OMPI_MCA_coll_tuned_use_dynamic_rules=1 "

sed -i "s/item-bytes: [^}]*/item-bytes: 16B, environment: {$setting: [\"1\", ~]}/" knobs.yaml
knobs "MPICH Version: 4.0.2" lp=0.6 set=0.7
says stdout "Raced: 0.70x ["
grep -qx "#   raced: 0.70x \[.* to alltoallv without it" knobs.tuning.env || fail "no ratio of the setting"
same "rules" "$(grep -c '^alltoallv ' knobs.tuning)" 1
