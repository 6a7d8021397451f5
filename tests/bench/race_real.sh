#!/bin/sh
# Races of commands whose right answer is known: how often `nuce race` errs on this machine, how soon it finds a
# small difference, and how long nuce itself takes between two launches.
# Usage: race_real.sh BIN [STUDY [RACES [LAUNCHES]]]; without a STUDY all of these:
#   same     400 races of a program of 2 ranks against itself; at most 12 launches each
#   beside   the same beside a busy process for each processor
#   planted  20 races of a loop of 50 ms against one of 2 % more turns, with a budget of 60 s; likewise 5, 10 and 50 %
#   between  a race of `true`, 300 launches
# MPIEXEC: the launcher of the MPI library that BIN is built with.
set -eu
bin=$(cd "$1" && pwd) study=${2:-all} races=${3:-} launches=${4:-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/nuce-race-XXXXXX")
neighbours=
stop_neighbours() {
    # shellcheck disable=SC2086 # a word for each
    [ -z "$neighbours" ] || kill $neighbours 2>/dev/null || :
    neighbours=
}
trap 'stop_neighbours; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

query() {
    "$bin/nuce" query --database "$scratch/now.db" --format csv "$1" | tail -n +2
}

# race OPTION... -- COMMAND -- COMMAND: adds a line for the contender and one for the duplicate to
# $scratch/races: which, verdict, launches, 1 if its interval contains 1, the same of Student's interval, seconds.
race() {
    rm -rf "$scratch/campaigns" "$scratch/now.db"
    status=0 begin=$(date +%s%N)
    "$bin/nuce" race --campaigns "$scratch/campaigns" --database "$scratch/now.db" "$@" >"$scratch/log" 2>&1 || status=$?
    end=$(date +%s%N)
    # 3: inconclusive.
    [ "$status" = 0 ] || [ "$status" = 3 ] || { cat "$scratch/log" >&2 && exit 1; }
    query "SELECT contender, verdict, launches, ratio_low <= 1 AND ratio_high >= 1,
            abs(json_extract(student, '\$[1]')) <= json_extract(student, '\$[3]'), ($end - $begin) / 1e9
        FROM ratio JOIN (SELECT contender, over_launches(ln(ratio)) AS student FROM launch_ratio GROUP BY contender)
            USING (contender)
        WHERE contender <> 'reference'" >>"$scratch/races"
}

# share WHICH COLUMN REGEX: how many of those lines have it in the column, with Wilson's 95 % interval.
share() {
    awk -F , -v which="$1" -v column="$2" -v regex="^($3)$" '
        $1 == which { n++; k += $column ~ regex }
        END { p = k / n; z = 1.96; middle = (p + z * z / (2 * n)) / (1 + z * z / n)
              reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
              printf "%d of %d: %.1f %% [%.1f, %.1f]", k, n, 100 * p, 100 * (middle - reach), 100 * (middle + reach) }
        ' "$scratch/races"
}

# middle COLUMN: the median and the largest value of the column, over the contenders.
middle() {
    grep '^contender' "$scratch/races" | cut -d , -f "$1" | sort -n |
        awk '{ v[NR] = $1 } END { printf "%.3g, %.3g", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[NR] }'
}

# verdicts: how often each came out, over the contenders.
verdicts() {
    grep '^contender' "$scratch/races" | cut -d , -f 2 | sort | uniq -c | awk '{ printf "%s%d %s", comma, $1, $2; comma = ", " }'
}

same() { # TITLE
    title=$1
    : >"$scratch/races"
    set -- "${MPIEXEC:-mpiexec}" -n 2 "$bin/nuce-exchange" --schedule ac --pattern uniform --degree 2
    for _ in $(seq "${races:-400}"); do
        race --launches "${launches:-12}" --name first,second -- "$@" -- "$@"
    done
    echo "| $title | $(share contender 2 'faster|slower') | $(share contender 4 1) | $(share contender 5 1) |" \
        "$(share duplicate 5 1) | $(middle 6) |"
}

# Turns of the loop that take about 50 ms: of some runs the shortest counts.
loop='BEGIN { while (i < n) i++ }'
calibrate() {
    for _ in 1 2 3 4 5; do
        from=$(date +%s%N)
        awk -v n=1000000 "$loop"
        echo $(($(date +%s%N) - from))
    done | sort -n | awk 'NR == 1 { printf "%d", 1e6 * 50e6 / $1 }'
}

if [ "$study" = all ] || [ "$study" = same ] || [ "$study" = beside ]; then
    echo "| the same twice | false verdicts | interval has 1 in it | Student's | Student's, duplicate | s: median, most |"
    echo "| --- | --- | --- | --- | --- | --- |"
    [ "$study" = beside ] || same alone
fi
if [ "$study" = all ] || [ "$study" = beside ]; then
    for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
        sh -c 'while :; do :; done' &
        neighbours="$neighbours $!"
    done
    same "beside busy processes"
    stop_neighbours
fi
if [ "$study" = all ] || [ "$study" = planted ]; then
    turns=$(calibrate)
    printf '\n%s\n' "| planted | found | verdicts | launches: median, most | s: median, most |" \
        "| --- | --- | --- | --- | --- |"
    for percent in 2 5 10 50; do
        : >"$scratch/races"
        for _ in $(seq "${races:-20}"); do
            race --budget 60s --margin 1% --launches "${launches:-1000}" --name plain,more -- \
                awk -v "n=$turns" "$loop" -- awk -v "n=$((turns * (100 + percent) / 100))" "$loop"
        done
        echo "| $percent % of $turns turns | $(share contender 2 slower) | $(verdicts) | $(middle 3) | $(middle 6) |"
    done
fi
if [ "$study" = all ] || [ "$study" = between ]; then
    : >"$scratch/races"
    race --margin 0.01% --launches "${launches:-300}" --name first,second -- true -- true
    printf '\n%s\n' "| race of | launches | ms between two: mean | median | s in all | s of its commands |" \
        "| --- | --- | --- | --- | --- | --- |"
    # A launch begins where its job was noted. The row of a duplicate has the time of its reference.
    query "WITH used AS (SELECT job, sum(median_s * iif(contender = 'duplicate', ratio, 1)) AS s
            FROM launch_ratio GROUP BY job),
        launch AS (SELECT s, 86400 * julianday(json_extract(facts, '\$.started')) AS began
            FROM job JOIN used ON used.job = job.id),
        gap AS (SELECT s, 1000 * (lead(began) OVER (ORDER BY began) - began - s) AS ms FROM launch)
        SELECT count(*), round(avg(ms), 2), round(figure_of(median_of(ms), 0), 2), round(($end - $begin) / 1e9, 2),
            round(sum(s), 2)
        FROM gap" | sed 's/,/ | /g; s/.*/| true | & |/'
fi
