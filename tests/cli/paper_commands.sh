#!/bin/sh
# The command that the head of each plot names gives it rows: what is modelled is computed, with few draws; all
# else takes hours, and its cost is planned. docs/papers names that command in the row of the plot.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"
project=$here/../..
cp -r "$project/configs/networks" .

# head_of PLOT DIRECTIVE
head_of() {
    sed -n "s/^-- $2: //p" "$project/plots/$1.sql"
}

# less SWEEP: it with few draws, of few sizes.
less() {
    sed -e 's/instances: [0-9]*/instances: 1/' -e 's/samples: [0-9]*/samples: 2/' \
        -e 's/{from: 9, to: 63, step: 1}/[9, 63]/' -e 's/^ranks: \[16, 64\]/ranks: 16/' \
        -e 's/imbalance: \[1, 3, 7\]/imbalance: [3]/' -e 's/\[1B, 16B, .*\]}/[256B]}/' \
        -e 's/^ranks: \[\([0-9]*, [0-9]*\),.*/ranks: [\1]/' \
        "$project/configs/$1.yaml" >"$1.yaml"
}

small other
expect 0 launch run other.yaml --database other.db
nuce list figures --format csv | awk -F, 'NR > 1 && $2 != "" { print $1, $2 }' >plots
while read -r plot sweep; do
    [ "$(head_of "$plot" options)" = --modelled ] || continue
    if [ ! -e "$sweep.db" ]; then
        less "$sweep"
        expect 0 nuce run "$sweep.yaml" --modelled --database "$sweep.db"
    fi
    expect 0 nuce table "$plot" --database "$sweep.db"
done <plots

# What the other database has is of no paper: each plot of one says what gives it rows, and what that costs.
awk -F '\t' '/^[a-z]+\t/ && $1 != "key" { print $1 }' "$project/plots/papers.tsv" >keys
planned=" "
while read -r key; do
    grep "^$key-" plots >its
    [ -s its ] || fail "$key: no plots"
    while read -r plot sweep; do
        options=$(head_of "$plot" options)
        # What a sweep costs is said once of it, and takes its plan.
        case $planned in *" $sweep$options "*) continue ;; esac
        # A verdict is of whatever raced.
        nuce table "$plot" --database other.db >"$work/stdout" 2>"$work/stderr" && continue
        planned="$planned$sweep$options "
        grep -q "run 'nuce run $sweep${options:+ $options}' ([^)]*\(sampling\|by the model\)" "$work/stderr" ||
            fail "$plot: $(cat "$work/stderr")"
    done <its
done <keys

# An item of a page is a row of its tables, and the rows below it whose first cell is empty. A name alone goes on with
# the verb before it.
for page in "$project"/docs/papers/*.md; do
    awk -v plots=plots -v folder="$project/plots" '
        BEGIN { while ((getline line < plots) > 0) { split(line, word, " "); sweep[word[1]] = word[2] } }
        function look(text,   n, part, i, token, verb, ran, shown, count, command, line) {
            gsub(/[ \n]+/, " ", text)
            n = split(text, part, "`")
            for (i = 2; i <= n; i += 2) {
                token = part[i]
                if (token ~ /^nuce (run|submit) /)
                    verb = "run"
                else if (token ~ /^nuce (figure|table|show) /)
                    verb = "show"
                else if (token ~ / / && token !~ /^[a-z0-9-]+ --(modelled|platform [^ ]+)$/)
                    continue
                sub(/^nuce [a-z]+ /, "", token)
                if (verb == "run")
                    ran[token] = 1
                else if (verb == "show" && token in sweep)
                    shown[++count] = token
            }
            for (i = 1; i <= count; i++) {
                command = sweep[shown[i]]
                while ((getline line < (folder "/" shown[i] ".sql")) > 0)
                    if (sub(/^-- options: /, "", line))
                        command = command " " line
                if (!(command in ran)) {
                    print FILENAME ": " shown[i] ": expected `nuce run " command "` in its item"
                    bad = 1
                }
                seen++
            }
        }
        /^\| \| / { item = item " " $0; next }
        /^\| / { look(item); item = $0; next }
        { look(item); item = "" }
        END { look(item); if (!seen) { print FILENAME ": no plots"; bad = 1 }; exit bad }' "$page" || fail "$page"
done
