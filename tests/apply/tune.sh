#!/bin/sh
# The commands of docs/how-to/tune.md on its application: capture, advise, run, apply, check. Then nuce advise --check
# of an application that prints planned numbers: which rules are withdrawn. Called as the tests of nuce capture are.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
PATH=$programs:$PATH
cp "$here/../../docs/how-to/particles.c" .

# holds FILE, withdrawn FILE: what the last check says of it, and that it is so.
holds() {
    says stdout "$1: 1 rule holds: the application is faster: "
    cmp -s "$1" before || fail "$1: a rule that holds has changed"
}
withdrawn() { # FILE REASON
    says stdout "$1: 1 rule withdrawn: the application $2"
    grep -q "^# withdrawn 20..-..-..: the application $2.*, campaign check\." "$1" || fail "$1 does not say why"
    grep -q '^#   alltoallv ranks=2' "$1" || fail "$1: the rule is lost"
    ! grep -q '^alltoallv ranks=2' "$1" || fail "$1: the rule is still one"
}

# The page, with few ranks and steps, and one launch of the check. The advice depends on the machine: where it has no
# rule for the application, this one stands in.
rule="alltoallv ranks=2 bytes=1..1000 degree=1..1 schedule=ac"
awk '/^```sh/ { inside = 1; next } /^```/ { exit } inside' "$here/../../docs/how-to/tune.md" |
    sed -e "s/mpicc.mpich/mpicc.$mpi/; s/mpiexec -n 8 /$mpiexec -n 2 /; s/ -n 2 \.\/app/& 20/; s/  *#.*//" \
        -e 's/--check app.tuning/& --budget 1us/' >page
[ "$(wc -l <page)" -eq 7 ] || fail "the page has other commands than this test"
while read -r command <&3; do
    expect any sh -c "$command"
    case $status$command in
    "0mpicc."* | "0nuce run "*) ;;
    "0nuce capture "*) says stdout "0 particles lost" ;;
    "0nuce advise app.capture >app.yaml")
        grep -q "capture: 'app.capture'" app.yaml || fail "not the sweep of the capture"
        echo 'measure: {launches: 2, warmup: 0, min-samples: 2, max-samples: 2}' >>app.yaml
        ;;
    "0nuce advise app.capture --write "*) says stdout "exchange app.capture@" ;;
    "1nuce advise app.capture --write "*) says stderr "no rule to write" ;;
    "0nuce apply "*)
        says stdout "0 particles lost"
        [ "$(sed -n 's/^alltoallv /&/p' stderr | tr -s ' ')" = "alltoallv 20 20 0" ] || fail "not all calls are replaced"
        ;;
    "0nuce advise --check "*) holds app.tuning ;;
    "1nuce advise --check "* | "3nuce advise --check "*) withdrawn app.tuning "is " ;;
    *) fail "$command ended with $status" ;;
    esac
    case $command in
    *"--write app.tuning")
        grep -q '^alltoallv .*schedule=[^l]' app.tuning 2>/dev/null || printf 'nuce-tuning 1\n%s\n' "$rule" >app.tuning
        cp app.tuning before
        ;;
    esac
done 3<page

# An application that runs once, then only prints numbers: 100, and $with under a tuning file.
cat >planned <<EOF
#!/bin/sh
if [ ! -e raced ]; then
    touch raced
    exec $mpiexec -n 2 ./app 2
fi
echo >>raced
[ -z "\$NUCE_TUNING" ] || { eval "\$under"; echo "planned: \$with"; exit; }
eval "\$without"
echo "planned: 100"
EOF
chmod +x planned
export with=100 under="" without=""

# checked STATUS OPTION...: of a file with the rule and two that the application does not use.
checked() {
    wanted=$1
    shift
    printf 'nuce-tuning 1\n# it is\n%s # fast\nalltoallv ranks=64 bytes=1..9 degree=1..7 schedule=lp\nneighbor_%s\n' \
        "$rule" "$rule" >planned.tuning
    cp planned.tuning before
    rm -f raced
    expect "$wanted" nuce advise --check planned.tuning --metric 'planned: ([0-9]+)' "$@" -- ./planned
    [ "$(echo planned.tuning*)" = planned.tuning ] || fail "a file is left"
}
stays() {
    cmp -s planned.tuning before || fail "the file has changed: $1"
}

with=80
checked 0
holds planned.tuning
says stdout "with: faster than without, after 7 launches"
checked 1 --better higher
withdrawn planned.tuning "is slower"
says stdout "is slower: 1.25x [1.25, 1.25], 7 launches, campaign check."
diff before planned.tuning >changes || true
[ "$(wc -l <changes)" -eq 5 ] || fail "other lines than the rule have changed: $(cat changes)"
expect 0 nuce apply --tuning planned.tuning -- "$mpiexec" -n 2 ./app 2
says stderr "2  2 no rule for its ranks"
checked 3 --budget 1us
withdrawn planned.tuning "is not shown to be faster"
with=100
checked 1
withdrawn planned.tuning "is as fast as without"
# shellcheck disable=SC2016 # of the application
late='[ "$(wc -l <raced)" -lt 8 ] || exit 1'
under=$late
checked 1
withdrawn planned.tuning "fails"
under="" without=$late
checked 1
says stdout "planned.tuning: nothing was withdrawn: the application fails without its rules"
stays "it fails without"
without='echo "# mine" >>planned.tuning'
checked 1 --budget 1us
says stderr "planned.tuning: it has changed during the race: nothing was withdrawn"
! grep -q withdrawn planned.tuning || fail "another file than the one that raced was changed"
without=""

# Nothing to race.
printf 'nuce-tuning 1\nalltoallv ranks=64 bytes=1..9 degree=1..7 schedule=lp\n' >other.tuning
expect 1 nuce advise --check other.tuning -- "$mpiexec" -n 2 ./app 2
says stderr "other.tuning: it replaced no call of the application: nothing to check"
{ echo "nuce-tuning 1"; echo "machine: no such machine"; echo "$rule"; } >other.tuning
expect 1 nuce advise --check other.tuning -- "$mpiexec" -n 2 ./app 2
says stderr "it replaced no call"
printf 'nuce-tuning 1\n%s\n' "$rule" >other.tuning
expect 1 nuce advise --check other.tuning -- sh -c "$mpiexec -n 2 ./app 2; exit 4"
says stderr "other.tuning: the application ended with status 4 under it: nothing was withdrawn"
expect 2 nuce advise --check nowhere.tuning -- "$mpiexec" -n 2 ./app 2
says stderr "nowhere.tuning"
expect 2 nuce advise --check other.tuning
says stderr "expected 'nuce advise --check FILE -- mpiexec -n 4 PROGRAM'"
expect 2 nuce advise --check other.tuning --write o.tuning -- "$mpiexec" -n 2 ./app 2
expect 2 nuce advise app --budget 1s
says stderr "expected --check FILE"
expect 2 nuce advise app -- "$mpiexec" -n 2 ./app 2
says stderr "expected --check FILE"
expect 2 nuce advise --check other.tuning --budget soon -- touch started
says stderr "budget: 'soon'"
long=$(printf '%0250d' 0)
cp other.tuning "$long"
expect 1 nuce advise --check "$long" -- touch started
says stderr "File name too long"
[ ! -e started ] || fail "the application ran before all was checked"
