#!/bin/sh
# nuce race: commands in turns. Errors are reported before a folder is made; verdicts of commands that print planned
# numbers; special characters; contenders that fail or hang; interruptions.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# after N COMMAND: the lines of a contender that prints 100 at its first N - 1 starts, then does COMMAND.
after() {
    # shellcheck disable=SC2016 # of the shell that runs it
    printf '#!/bin/sh\necho >>"$0.starts"\n[ "$(wc -l <"$0.starts")" -lt %s ] || %s\necho 100\n' "$1" "$2"
}

# planned METRIC... : nuce race of numbers that are printed, of which the last one counts.
planned() {
    nuce race --metric '([0-9.]+)$' "$@"
}

# gone FILE: the process with the number in the file is gone, or is another one by now.
gone() {
    tries=0
    while tr '\0' ' ' 2>/dev/null <"/proc/$(cat "$1")/cmdline" | grep -q "^sleep 1000"; do
        tries=$((tries + 1))
        [ "$tries" -lt 1000 ] || fail "a process that a contender started lives on"
        sleep 0.02
    done
}

# Bad input: named, with status 2.
refuses "expected commands, 'nuce race -- COMMAND -- COMMAND', or a SWEEP" nuce race
refuses "expected commands" nuce race sweep.yaml -- true -- false
refuses "a race of 1: expected two commands or more" nuce race -- true
refuses "a race of 0: expected two commands or more" nuce race --
refuses "an empty command: expected words after each --" nuce race -- -- true
refuses "an empty command: expected words after each --" nuce race -- true -- -- true
refuses "an empty command: expected words after each --" nuce race -- true -- true --
refuses "name: 'a': expected 2 names, one for each command" nuce race --name a -- true -- true
refuses "name: 'a,b,c': expected 2 names" nuce race --name a,b,c -- true -- true
refuses "name: 'a,': expected a name for each command" nuce race --name a, -- true -- true
refuses "name: 'a,a': expected a name for each command, each another one" nuce race --name a,a -- true -- true
refuses "--shell: 'echo 1': expected each command as one word, in quotes" nuce race --shell -- echo 1 -- echo 2
refuses "'./nosuch': cannot start ./nosuch: No such file or directory" nuce race -- true -- ./nosuch
refuses "'sh -c 'echo no; exit 4'': it ended with status 4: no" nuce race -- true -- sh -c 'echo no; exit 4'
refuses "it was killed by signal 9" nuce race -- true -- sh -c 'kill -9 $$'
refuses "'echo wrong': its output does not match 'right': wrong" nuce race --expect right -- echo right -- echo wrong
refuses "'seq 5': metric: 't: ([0-9]+)' is not in its output, which ends: '3|4|5'" \
    nuce race --metric 't: ([0-9]+)' -- echo t: 3 -- seq 5
refuses "metric: 't: (.*)': 'fast' is not a number above 0" nuce race --metric 't: (.*)' -- echo t: 3 -- echo t: fast
refuses "metric: 't: (.*)': '0' is not a number above 0" nuce race --metric 't: (.*)' -- echo t: 3 -- echo t: 0
refuses "metric: 't: (.*': no regular expression" nuce race --metric 't: (.*' -- true -- true
refuses "it has 2" nuce race --metric '(t): (.*)' -- true -- true
refuses "expected json:/NAME/NAME" nuce race --metric json:a -- true -- true
refuses "expect: '(': no regular expression" nuce race --expect '(' -- true -- true
refuses "expected a metric that the program prints" nuce race --better higher -- true -- true
refuses "expected a metric that the program prints" nuce race --unit us -- true -- true
refuses "series: 'printf '1 2\\n3 3\\n'' prints other rows than 'printf '1 2\\n2 3\\n''" \
    nuce race --series 2 -- printf '1 2\n2 3\n' -- printf '1 2\n3 3\n'
refuses "'echo a': series: no line of its output begins with a number and has one in column 2" \
    nuce race --series 2 -- printf '1 2\n' -- echo a
refuses "'printf '1 2\n1 3\n'': series: two rows of its output begin with 1: expected one table" \
    nuce race --series 2 -- printf '1 2\n1 3\n' -- echo 1 2
refuses "expected none beside series" nuce race --series 2 --metric '(.)' -- echo 1 2 -- echo 1 2
refuses "'sooner'" nuce race --better sooner --metric '(.)' -- echo 1 -- echo 2
# Before any command runs, by the name of the option.
while IFS='|' read -r option value text; do
    # shellcheck disable=SC2059 # the value has its escapes
    refuses "$text" nuce race "$option" "$(printf "$value")" -- touch ran -- touch ran too
done <<'EOF'
--title|../a|--title: '../a': expected 1 to 57 letters
--title||--title: '': expected 1 to 57 letters
--at-least|90|--at-least: '90': expected a fraction, such as 0.05 or 5%
--margin|10|--margin: '10': expected a fraction, such as 0.05 or 5%
--launches|1e9|--launches: '1000000000': expected at most 1000
--name|a,b\nc|name: expected text without control characters
--metric|a\n(.)|metric: expected text without control characters
EOF
refuses "command: expected text without control characters" nuce race -- touch ran -- touch "ran
too"
[ ! -e ran ] || fail "a command was tried for a race that cannot be run"
refuses "no sweep 'nosuch.yaml'" nuce race nosuch.yaml
small kernels
refuses "kernels.yaml: the workload is exchange: expected program; 'nuce run' runs the others" nuce race kernels.yaml
[ ! -e campaigns ] || fail "a folder of a race that cannot be run"

# Planned numbers, which are the same in all launches: known after 7 (the sign test), with this ratio.
prints "slow: slower than fast, after 7 launches" planned --title planned --name fast,slow -- printf 100 -- printf 120
says stdout "campaigns/planned.1: 2 points, each in 7 launches: 2 ok"
says stdout "Slower than fast: slow 1.20x."
says stdout "Noise (fast vs fast): 1.00x; 7 launches."
# From the database: the median of the times, the ratio with its interval, the verdict.
same "the ratios of a race" "$(nuce query "SELECT name, contender, launches, round(median_s, 9), round(ratio, 9), verdict
    FROM ratio ORDER BY name, contender" --format csv | tail -n +2 | tr '\n' ' ')" \
    "fast,duplicate,7,100,1,inconclusive fast,reference,7,100,1, slow,contender,7,120,1.2,slower "
prints "faster than b, after 7 launches" planned --name b,a -- printf 120 -- printf 100
prints "slower than a, after 7 launches" planned --title rate --better higher --unit GB/s --name a,b -- printf 120 -- \
    printf 100
says stdout "Slower than a: b 1.20x."
# Beside one another: in its own unit, with the interval of a race that may end at any launch.
expect 1 nuce compare a b --campaign rate.1
says stdout "120 GB/s 100 GB/s 1.200x"
says stdout "Higher is better: the ratio is that of the inverses, above 1 if b is worse."
says stdout "b over a is 1.200x"
expect 1 nuce compare a b --campaign rate.1 --format csv
same "the row of a metric" "$(awk -F, 'NR == 2 { printf "%s,%s,%s,%.6g,%.6g", $12, $13, $20, $21, $22 }' "$work/stdout")" \
    ",,GB/s,120,100"
prints "printf 100 (2): the same as printf 100, within 5 %, after 20 launches" planned -- printf 100 -- printf 100
printf 'name: demand\nworkload: program\nsweep: {command: [./a, ./b]}\nmeasure: {at-least: 90%%}\n' >demand.yaml
expect 2 nuce plan demand.yaml
says stderr "at-least: '0.9': expected 'until: known' beside it"
prints "b: reaches 80 % of the speed of a, after 20 launches" planned --at-least 80% --name a,b -- printf 100 -- printf 120
expect 1 planned --at-least 0.9 --name a,b -- printf 100 -- printf 120
says stdout "b: FAILS to reach 90 % of the speed of a, after 7 launches"
prints "b: slower than a, with its interval within the margin of 25 %, after 7 launches" \
    planned --margin 25% --name a,b -- printf 100 -- printf 120
expect 3 planned --title budget --budget 1us --name a,b -- printf 100 -- printf 120
says stdout "b: inconclusive beside a, after 1 launch; the budget is used up"
expect 3 planned --title few --launches 3 --warmup 0 --name a,b -- printf 100 -- printf 120
says stdout "b: inconclusive beside a, after 3 launches; these are all"
says stdout "Inconclusive: 3 launches are too few."
expect 3 nuce compare a b --campaign few.1
says stdout "So few launches have no interval."
# The last launch of each race tells its end, the others that it went on.
same "ends" "$(value "SELECT group_concat(campaign || ' ' || stopped || ' ' || n, ' + ') FROM (SELECT campaign, stopped,
    count(*) AS n FROM run WHERE campaign IN ('rate.1', 'budget.1', 'few.1') GROUP BY 1, 2 ORDER BY 1, 2)")" \
    "budget.1 budget 2 + few.1 most-launches 2 + few.1 open 4 + rate.1 known 2 + rate.1 open 12"
prints "(ended by the budget at 2 points)" nuce show budget.1
prints "slower than" nuce race --metric json:/run/t --name a,b -- echo '{"run": {"t": 1}}' -- echo '{"run": {"t": 2}}'
# shellcheck disable=SC2016
prints "b: slower than a, after 7 launches" planned --shell --name a,b -- 'echo 50 | sed s/5/6/' -- 'x=70; echo $x'
# Times of commands, which differ by far: the verdict, not the numbers.
prints "b: slower than a, after" nuce race --name a,b -- true -- sleep 1

# Of three contenders each has two rivals, in the end of the race and in the sentence after it. swings A B prints A at its
# odd starts, B at the others.
program swings <<'SH'
#!/bin/sh
echo >>"$0.$1-$2"
[ $(($(wc -l <"$0.$1-$2") % 2)) = 0 ] && echo "$2" || echo "$1"
SH
prints "b: slower than a, after 7 launches" planned --title two --name a,b -- printf 100 -- ./swings 104 109
rm swings.*
prints "b: slower than a, after 8 launches" planned --title three --name a,b,c -- printf 100 -- ./swings 104 109 -- \
    ./swings 105 110
says stdout "c: slower than a, after 8 launches"
says stdout "Slower than a: b 1.06x [1.02, 1.12], c 1.07x [1.03, 1.13]."
# Too few for an interval, though the noise has one.
expect 3 planned --title noisy --launches 2 --name a,b -- ./swings 101 102 -- printf 120
says stdout "Inconclusive: 2 launches are too few."
# The race compares with the first.
prints "c: faster than a, after" planned --title apart --name a,b,c -- printf 300 -- ./swings 100 120 -- ./swings 140 110
says stdout "b: faster than a, after"
says stdout "No winner: "
says stdout "ended when each was known beside a. They take"

# A table: each row is a race.
prints "b at 1: slower than a at 1, after 7 launches" \
    nuce race --title table --series 2 --unit us --name a,b -- printf '# x\n1 10\n2 20\n' -- printf '# x\n1 12\n2 20\n'
says stdout "b at 2: the same as a at 2, within 5 %, after 20 launches"
same "rows of a table" "$(value "SELECT count(DISTINCT race) || ' ' || count(DISTINCT job) FROM run WHERE campaign = 'table.1'")" \
    "2 20"

# Special characters of the shell, gnuplot, SQL, terminals and printf have no effect in commands, their names and
# their output.
echo alive >canary
cp canary "$work/canary"
hostile="\$(rm canary) \`rm canary\`; rm canary; 'a' \"b\" %s%n \\ @{x}^_ {x} <b>&amp; Robert'); DROP TABLE run;--"
escape=$(printf '\033')
prints "slower than" nuce race --title hostile --metric "([0-9]+)$" -- printf '%s\033[31m\a\n100' "$hostile" -- \
    printf '%s\033[31m\a\n120' "$hostile"
prints "slower than" planned --title named --name "it's 100%s,\$(rm canary)" -- printf 100 -- printf 120
says stdout "\$(rm canary): slower than it's 100%s"
refuses "expected text without control characters" planned -- printf 100 -- printf "1${escape}[31m"
refuses "expected text without control characters" planned -- printf 100 -- printf "1
20"
refuses "expected text without control characters" planned --name "a,b${escape}[31m" -- printf 100 -- printf 120
refuses "?[31mred" nuce race -- true -- sh -c 'printf "\033[31mred\n" >&2; exit 1'
refuses "?[31mred" nuce race --metric 't: (.*)' -- echo t: 1 -- printf 't: \033[31mred\n'
for campaign in hostile.1 named.1; do
    for command in "show $campaign" "show $campaign --wide" "table quick --campaign $campaign --format csv" \
        "export ratio --format csv" "export run --format json" "status $campaign" "report $campaign"; do
        # shellcheck disable=SC2086 # several words
        expect 0 nuce $command
        ! grep -q "$escape" "$work/stdout" "$work/stderr" || fail "nuce $command writes to the terminal as told"
    done
    if command -v gnuplot >/dev/null; then
        expect 0 nuce figure quick --campaign $campaign --format svg --output figures-$campaign
        ! grep -q "$escape" figures-$campaign/* || fail "a figure with a control character"
    fi
done
cmp -s canary "$work/canary" || fail "the canary is dead"

# A contender that hangs, deaf and with a child in a session of its own, is ended, and the others race on.
after 3 "{ trap '' TERM; setsid sleep 1000 & echo \$! >straggler; while :; do sleep 1; done; }" | program hangs
expect 1 planned --title hangs --timeout 8s --name a,hangs,b -- printf 100 -- ./hangs -- printf 120
says stderr "it took longer than 8 s and was ended"
says stdout "3 points, each in 7 launches: 2 ok, 1 timeout"
says stdout "INCOMPLETE: 14 of 15 runs; hangs hung in launch 1 and was left out; nuce resume campaigns/hangs.1"
says stdout "b: slower than a, after 7 launches"
! grep -q "^hangs:" "$work/stdout" || fail "a verdict on a contender without a run"
gone straggler

# One that fails in its third launch, after the trial and the launch that does not count.
after 5 "{ echo broken >&2; exit 3; }" | program breaks
expect 1 planned --title breaks --name a,breaks,b -- printf 100 -- ./breaks -- printf 120
says stderr "it ended with status 3: broken"
says stdout "2 ok, 1 failed"
says stdout "b: slower than a, after 7 launches"
same "runs of a contender that broke" "$(value "SELECT group_concat(runs, ' ') FROM (SELECT count(*) AS runs FROM run
    WHERE campaign = 'breaks.1' AND point = (SELECT point FROM run WHERE status = 'failed') GROUP BY status)")" "1 2"
says stdout "Slower than a: b 1.20x."
says stdout "No verdict: breaks ran in 2 launches only."
says stdout "INCOMPLETE: 16 of 17 runs; breaks failed in launch 3 and was left out; nuce resume campaigns/breaks.1"
# Once it is mended, resume races it. It is another program now: its first 2 launches do not count.
after 1000 true | program breaks
prints "breaks: the same as a, within 5 %, after 20 launches" nuce resume breaks.1
says stderr "the programs or the machine have changed since the earlier launches, which do not count any more"
says stdout "b: slower than a, after 7 launches"
same "launches of a contender that broke" "$(value "SELECT count(*) FROM run
    WHERE campaign = 'breaks.1' AND status = 'ok' AND point = (SELECT point FROM run WHERE status = 'failed')")" 22

# stopped_by SIGNAL TITLE: ends nuce in the fifth start of its second contender, which waits for that.
stopped_by() {
    after 5 "[ -e go ] || { echo \$\$ >waits; exec sleep 1000; }" | program "waits-$2"
    rm -f waits go
    # Through env: a shell without job control starts background processes with INT ignored.
    env --default-signal=INT "$work/bin/nuce" race --metric '([0-9.]+)$' --title "$2" --name a,b -- printf 100 -- \
        "./waits-$2" >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    tries=0
    until [ -s waits ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 15000 ] || fail "the contender never waited"
        sleep 0.02
    done
    kill -"$1" "$pid"
    status=0
    wait "$pid" 2>/dev/null || status=$?
    gone waits
    touch go
}

for signal in INT KILL; do
    title=$(echo $signal | tr '[:upper:]' '[:lower:]')
    stopped_by $signal "$title"
    if [ $signal = INT ]; then
        same "status after INT" "$status" 75
        says stderr "to go on: nuce resume campaigns/int.1"
    else
        same "status after KILL" "$status" 137
    fi
    same "runs before $signal" "$(ok_runs "campaigns/$title.1")" 4
    prints "b: the same as a, within 5 %, after 20 launches" nuce resume "$title.1"
    same "runs and launches after $signal" "$(value "SELECT count(*) || ' ' || count(DISTINCT point || job)
        || ' ' || count(DISTINCT job) FROM run WHERE campaign = '$title.1' AND status = 'ok'")" "40 40 20"
done


# A sweep: variables of all contenders and of one, in the environment and in the command, by every subcommand.
cat >threads.yaml <<'YAML'
name: threads
workload: program
zip:
  - command: ["sh -c 'echo $A$N'", "sh -c 'echo $A$N'", "printf 8{N}"]
    name: [six, seven, eight]
    variables: [A=6, A=7, A=9]
sweep:
  environment: {N: ['0', '5']}
  metric: ([0-9]+)
measure: {until: known, margin: 2%, budget: 5min}
YAML
prints "races        2, of up to 3 contenders each" nuce plan threads.yaml
refuses "name: threads.yaml is a SWEEP: expected a key in it instead of the option" nuce race --name a,b threads.yaml
refuses "budget: threads.yaml is a SWEEP: expected a key in it" nuce race --budget 1min threads.yaml
refuses "better: threads.yaml is a SWEEP: expected a key in it" nuce race --better higher threads.yaml
expect 0 nuce race threads.yaml
same "ratios of a sweep" "$(nuce query "SELECT name, round(median_s, 9), round(ratio, 3) FROM ratio JOIN run USING (point)
    WHERE campaign = 'threads.1' AND contender <> 'duplicate' GROUP BY point ORDER BY median_s" --format csv |
    tail -n +2 | tr '\n' ' ')" "six,60,1 six,65,1 seven,70,1.167 seven,75,1.154 eight,80,1.333 eight,85,1.308 "
sed -i 's/8{N}/8{M}/' threads.yaml
for command in plan run race submit; do
    refuses "command: '{M}': expected ranks, nodes, or a variable of 'environment:'" nuce "$command" threads.yaml
done
sed -i 's/8{M}/8{N}/' threads.yaml
expect 0 nuce run threads.yaml
prints "points       6: 6 done; runs 42 of 42" nuce status threads.2
prints "seven                        1.17x  70" nuce show threads.2
expect 0 nuce table quick --campaign threads.2 --format csv
expect 0 nuce report threads.2
# Other load of the machine may leave the verdict open (3), but not the ratios.
status=0
nuce compare threads.1 threads.2 >compared || status=$?
[ "$status" -eq 0 ] || { [ "$status" -eq 3 ] && grep -q "Other load" compared; } || fail "compare ended with $status"
[ "$(grep -c '1.000x \[1.000, 1.000\] *7+7 same$' compared)" -eq 6 ] || fail "equal campaigns differ: $(cat compared)"
if command -v gnuplot >/dev/null; then
    expect 0 nuce figure threads.2 --format svg
    [ -s figures/threads.2.svg ] || fail "no figure of a race"
fi
expect 0 nuce bundle threads.2
prints "6 points, 42 runs" nuce verify threads.2.tar.gz

# Under Slurm the race continues in the next attempt of its job, and in the next job, with the launches of the earlier
# ones. Each of them gets the signal to stop in its second launch, which is not a failure of the contender.
fake_slurm
cat >ends.yaml <<'YAML'
name: ends
workload: program
zip: [{command: [printf 100, ./ends], name: [a, b]}]
sweep: {metric: '([0-9]+)$'}
measure: {until: known, warmup: 0, budget: 5min}
YAML
program ends <<'SH'
#!/bin/sh
echo >>starts
[ $(($(wc -l <starts) % 2)) = 1 ] || { kill -USR1 $PPID; exec sleep 1000; }
echo 120
SH
echo "account: mine" >profile.yaml
prints "by budget and timeout" nuce plan ends.yaml --profile profile.yaml
says stdout ", at most 0.0833 by budget and timeout"
expect 0 nuce submit ends.yaml --profile profile.yaml
for attempt in "1 101 0" "1 101 1" "1 101 2" "1 101 3" "2 102 0" "2 102 1"; do
    if [ "$attempt" = "2 102 0" ]; then
        rm "$FAKE_SLURM/jobs"
        expect 0 nuce resume ends.1
    fi
    # shellcheck disable=SC2086 # three words
    set -- $attempt
    expect 75 env --chdir=campaigns/ends.1 SLURM_JOB_ID="$2" SLURM_RESTART_COUNT="$3" "$work/bin/nuce-job" "$1"
done
expect 0 env --chdir=campaigns/ends.1 SLURM_JOB_ID=102 SLURM_RESTART_COUNT=2 "$work/bin/nuce-job" 2
same "runs of a race in two jobs" "$(ok_runs campaigns/ends.1)" 14
expect 0 nuce collect ends.1
same "its end" "$(value "SELECT group_concat(DISTINCT stopped) FROM run WHERE campaign = 'ends.1'
    AND job = (SELECT max(job) FROM run WHERE campaign = 'ends.1' AND status = 'ok')")" known
