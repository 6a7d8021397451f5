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
    python3 "$here/remake.py" app.1 "$@" <<'PYTHON'
import hashlib
jobs = []
def change(r):
    if r["job"] not in jobs:
        jobs.append(r["job"])
    schedule, size = r["params"]["schedule"], r["params"]["item-bytes"]
    problem = {k: v for k, v in r["params"].items() if k not in ("schedule", "radix", "in-flight")}
    r["race"] = hashlib.sha256(json.dumps(problem, sort_keys=True).encode()).hexdigest()
    r["order_seed"], r["criterion"] = 1 + jobs.index(r["job"]), "communication"
    noise = 1 + 0.01 * (jobs.index(r["job"]) % 2)
    times = [1e-3 * (1 + i % 3) * {"alltoallv": 1, "ac": noise, "tuna": 0.6 * noise}[schedule] for i in range(9)]
    r["samples"] = {"step": times, "communication": times}
    r["place"] = [0] * 9
    if schedule == "alltoallv":
        r["duplicate"] = {part: [noise * t for t in times] for part in ("step", "communication")}
        r["duplicate"]["place"] = [1] * 9
    r["metrics"] = {"messages": 2, "bytes": 2 * size, "pattern_fingerprint": "%016x" % size, "schedule_s": 1e-3,
                    "others_cpus": float(arguments[0]) if arguments else 0.0}
PYTHON
    rm -f nuce.db
    expect 0 nuce collect
}
race
prints "item-bytes 16 B: tuna." nuce advise app
says stdout "tuna to alltoallv, the library's call: 0.60x ["
says stdout "Its schedule takes 1.00 ms once and pays after 2 calls."
expect 0 nuce advise app.1 --format json
same "lines" "$(grep -c '"advice":"tuna"' "$work/stdout")" 3
expect 0 nuce advise app --write app.tuning
head -n 1 app.tuning | grep -qx 'nuce-tuning 1' || fail "no head"
grep -qx 'alltoallv ranks=2 pattern=0000000000000010 schedule=tuna' app.tuning || fail "no rule"
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

# A report has the advice.
expect 0 nuce report app --output page.html
grep -q 'leave it (alltoallv)' page.html || fail "no advice on the page"
