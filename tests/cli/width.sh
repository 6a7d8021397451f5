#!/bin/sh
# On a terminal no table, list or message is wider than 100 columns but by --wide, and none is cut short;
# elsewhere a row is a line.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

cp "$programs/nuce-model" "$work/bin"
ln -s nuce-exchange "$work/bin/nuce-redistribute"
for config in arrays-figure5 arrays-figure17 mapping-topology redistribution-figure4-uneven regimes-nics first-exchange; do
    expect 0 nuce run $config --modelled
done
cat >red.yaml <<YAML
name: red
workload: redistribute
ranks: [4, 8]
sweep: {schedule: [direct, ac, greedy, alltoallv], elements: [64, 4096], factor: 3, block: 4}
YAML
export FAKE_KIND=simulated
expect 0 launch run red.yaml
unset FAKE_KIND
small base
expect 0 launch run base.yaml
export FAKE_LIBRARY="a library whose name is as long as those of MPI libraries are, with where each of them is from"
expect 0 launch run base.yaml
cat >bad.yaml <<YAML
name: bad
workload: exchange
ranks: 4
sweep: {schedule: [ac, "a schedule with a name as long as nobody would give one, but that has to be shown"], nosuch: 1}
YAML

{
    for what in workloads schedules decompositions placements patterns keys values results figures configs profiles \
        platforms; do
        echo "list $what"
    done
    for what in campaigns points runs environments base.1 first-exchange \
        $(nuce list figures --format csv | tail -n +2 | cut -d, -f1); do
        echo "show $what"
    done
    echo "table regimes"
    echo "doctor"
    echo "plan quick"
    echo "plan bad.yaml"
    echo "run nosuch"
    echo "compare nosuch base.1"
    echo "status base.1"
} >commands
python3 "$here/terminal.py" "$work/bin/nuce" <commands || fail "wider than 100 columns"
echo "show points --wide" >wide
python3 "$here/terminal.py" "$work/bin/nuce" <wide >"$work/stdout" && fail "nothing is wide with --wide"
says stdout "show points --wide"

# At any width nothing is lost: each word of the list, each value of the rows.
echo "show environments" >one
python3 "$here/terminal.py" --print "$work/bin/nuce" <one >folded
tr -s ' \n' '\n' <folded | grep -qx "MPI" || fail "a word of a long value is missing"
tr -s ' \n' '\n' <folded | grep -c '^base\.[12],*$' | grep -qx '[4-9]' || fail "it does not say whose a value is"
prints "$FAKE_LIBRARY" nuce show environments
prints '"described"' nuce show environments --format json
