#!/bin/sh
# How far advice can be believed on this machine: `nuce advise` on a run of the sweep advice-corpus and of a captured
# program (docs/how-to/particles.c), judged by a second run of the same races; and the rules of other tuners, replayed
# on the rounds of the first.
# Usage: advice.sh BIN [SWEEP-EDIT [PROFILE]]; SWEEP-EDIT: a sed script for the sweep, such as
# 's/launches: 6/launches: 4/'; PROFILE: runs it as jobs of Slurm, from a folder TMPDIR that all nodes share, without the
# program. MPICC, MPIEXEC: of the MPI library that BIN is built with.
set -eu
bin=$(cd "$1" && pwd) edit=${2:-} profile=${3:-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/nuce-advice-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
corpus=$scratch/advice-corpus.yaml
sed "$edit" "$bin/../share/nuce/configs/advice-corpus.yaml" >"$corpus"

# A sweep of the captured program for each number of ranks: a capture has one.
if [ -z "$profile" ]; then
    "${MPICC:-mpicc}" -O2 "$(dirname "$0")/../../docs/how-to/particles.c" -o "$scratch/app"
    for ranks in $(sed -n 's/^ranks: *//p' "$corpus" | tr -d '[],'); do
        capture=$scratch/$ranks.capture
        "$bin/nuce" capture --output "$capture" -- "${MPIEXEC:-mpiexec}" -n "$ranks" "$scratch/app" 20 >"$scratch/log" 2>&1 ||
            { cat "$scratch/log" >&2 && exit 1; }
        awk -v ranks="$ranks" -v capture="$capture" '
            /^name:/ { $0 = "name: advice-captured-" ranks }
            /^ranks:/ { $0 = "ranks: " ranks }
            /^reference:/ { skip = 0 }
            !skip
            /^sweep:/ { print "  - {schedule: [alltoallv, ac, lp, greedy, tuna], capture: " capture ", call: top-1}"; skip = 1 }
            ' "$corpus" >"$scratch/advice-captured-$ranks.yaml"
    done
fi

# of_run WORD...: nuce on the campaign and the database of this run.
of_run() {
    "$bin/nuce" "$@" --campaigns "$scratch/$run" --database "$scratch/$run.db" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2 && exit 1; }
}

for run in first second; do
    echo "$run run: $(date -u +%H:%M:%S)" >&2
    if [ -z "$profile" ]; then
        for sweep in "$scratch"/*.yaml; do
            of_run run "$sweep"
        done
    else
        of_run submit "$corpus" --profile "$profile"
        of_run status --watch
        of_run collect
    fi
done

# A line of JSON for each race. Where the advice leaves the call as it is, the reference is taken. Races without
# advice do not count.
advice=$("$bin/nuce" advise --disturbed --database "$scratch/first.db" --format json | sed "s/'/''/g" | paste -sd , -)
echo "| races | left as it is | advised | of these in the second run: faster | inconclusive | slower | regret: median | p95 |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
"$bin/nuce" query --database "$scratch/second.db" --format csv "
    WITH advice AS (
        SELECT json_extract(value, '\$.point') AS point, json_extract(value, '\$.candidate') AS candidate
        FROM json_each('[$advice]') WHERE json_extract(value, '\$.rule') IS NOT NULL),
    raced AS (SELECT * FROM ratio WHERE contender <> 'duplicate'),
    taken AS (
        SELECT a.candidate, iif(a.candidate IS NULL, 'left', r.verdict) AS verdict,
               iif(a.candidate IS NULL, 1, r.ratio)
                   / (SELECT min(b.ratio) FROM raced AS b WHERE b.race = r.race AND b.environment = r.environment) - 1
               AS regret
        FROM advice AS a JOIN raced AS r ON r.point = a.point),
    ordered AS (SELECT *, row_number() OVER (ORDER BY regret) AS nth, count(*) OVER () AS n FROM taken)
    SELECT count(*), sum(verdict = 'left'), count(candidate), sum(verdict = 'faster'),
           sum(verdict IN ('same', 'inconclusive')), sum(verdict = 'slower'),
           printf('%.1f %%', 100 * max(iif(nth <= (n + 1) / 2, regret, NULL))) AS middle,
           printf('%.1f %%', 100 * max(iif(nth <= (19 * n + 19) / 20, regret, NULL))) AS high
    FROM ordered" | sed '1d; s/"//g; s/,/ | /g; s/.*/| & |/'
echo
"$bin/nuce" table advice-rules --database "$scratch/first.db"
