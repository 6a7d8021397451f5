#!/bin/sh
# nuce explain: a point by the first digits of its id, or of a run of it, in whatever campaign it is.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small first
sed 's/name: first/name: second/; s/64B/1KiB/' first.yaml >second.yaml
small third
sed -i 's/item-bytes: .*/item-bytes: 4KiB/' third.yaml
for sweep in first second third; do
    expect 0 launch run $sweep.yaml
done

# id CAMPAIGN ITEM-BYTES: of the first of its points with so many bytes.
id() {
    grep "\"item-bytes\":$2[,}]" "campaigns/$1/plan.jsonl" | sed -n '1s/.*"point":"\([0-9a-f]*\)".*/\1/p'
}
alone=$(id first.1 64)
shared=$(id first.1 16)

# The newest campaign lacks it.
prints "point        $alone" nuce explain "$(printf %.8s "$alone")"
says stdout "campaign     campaigns/first.1, point"
says stdout "state        ok, 1 good of 1 run recorded, 1 wanted"
says stdout "again        mpiexec"
says stdout "   log       campaigns/first.1/logs/"

# Two have it: the younger is shown.
prints "campaign     campaigns/second.1, point" nuce explain "$(printf %.8s "$shared")"
prints "campaign     campaigns/first.1, point" nuce explain "$(printf %.8s "$shared")" --campaign first.1
refuses "0 points of second.1 begin with it" nuce explain "$(printf %.8s "$alone")" --campaign second.1

# By the id of a run.
run=$(value "SELECT substr(hash, 1, 10) FROM run WHERE point = '$alone'")
prints "point        $alone" nuce explain "$run"
says stdout "campaign     campaigns/first.1, point"

# The folder is gone: the database says whose it was.
mv campaigns/first.1 away
for id in "$(printf %.8s "$alone")" "$run"; do
    expect 2 nuce explain "$id"
    says stderr "point $alone is of campaign first.1, which is not below campaigns: 'nuce show runs --campaign first.1'"
done
expect 2 nuce explain "$(printf %.8s "$alone")" --database absent.db
says stderr "no id of a point or run below campaigns or in absent.db begins with it"
mv away campaigns/first.1

# A database that cannot be read hides nothing of the folder.
echo "no database" >bad.db
prints "campaign     campaigns/first.1, point" nuce explain "$(printf %.8s "$alone")" --database bad.db

for digits in 123 "" wxyz ABCD -- "12%4"; do
    expect 2 nuce explain "$digits"
done
refuses "'wxyz': expected at least the first 4 digits of the id" nuce explain wxyz

# An ambiguous beginning: its ids are listed. Two of 700 ids share their first four digits.
fake_slurm
cat >many.yaml <<EOF
name: many
workload: exchange
ranks: 2
sweep: {schedule: ac, pattern: uniform, degree: 1, instances: 700}
EOF
expect 0 nuce submit many.yaml
sed 's/.*"point":"\([0-9a-f]*\)".*/\1/' campaigns/many.1/plan.jsonl | sort >ids
digits=$(cut -c 1-4 ids | uniq -d | head -n 1)
refuses "'$digits': $(grep -c "^$digits" ids) points begin with it: expected more digits of one" nuce explain "$digits"
grep "^$digits" ids | cut -c 1-16 | while read -r begins; do
    says stderr "$begins  many.1"
done
