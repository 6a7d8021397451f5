#!/bin/sh
# Completion: the shells that are there are asked for words.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

scripts=$here/../../harness/completion
command -v bash >/dev/null || {
    echo "skipped: bash is not installed" >&2
    exit 77
}
small begun
expect 0 launch run begun.yaml
point=$(sed -n '1s/.*"point":"\(.\{8\}\).*/\1/p' campaigns/begun.1/plan.jsonl)
environment=$(nuce show environments --format csv | sed -n '2s/,.*//p')
for program in nuce-model nuce-exchange nuce-stencil nuce-redistribute nuce-calibrate; do
    cp "$programs/$program" "$work/bin/"
done
export HWLOC_PLUGINS_PATH=/nonexistent

# complete WORD...: the words that bash offers for the last one go to stdout, one a line.
ask() {
    # shellcheck disable=SC2016 # for bash
    PATH="$work/bin:$PATH" bash -eu -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        COMP_LINE="$*"; _nuce_complete; printf "%s\n" "${COMPREPLY[@]}"' bash "$scripts/nuce.bash" "$@" \
        >"$work/stdout" 2>"$work/stderr" || fail "completing '$*': $(cat "$work/stderr")"
    [ ! -s "$work/stderr" ] || fail "completing '$*' says: $(cat "$work/stderr")"
}
# offers WORD... -- WANTED...: exactly these are offered for the line of words.
offers() {
    line=
    while [ "$1" != -- ]; do
        line="$line $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # words
    ask $line
    same "completion of$line" "$(sort "$work/stdout" | tr '\n' ' ')" "$(printf '%s ' "$@")"
}
offers nuce ta -- table
offers nuce "do" -- doctor
offers nuce s -- show status submit
offers "$work/bin/nuce" ver -- verify
offers nuce table qui -- quick
offers nuce table exchange-table -- exchange-table2 exchange-table3 exchange-table4 exchange-table5 \
    exchange-table6 exchange-table7
offers nuce figure al -- all
offers nuce show al -- ""
offers nuce run --modelled qui -- quick
offers nuce figure --format png,s -- png,svg
offers nuce env di -- diff
offers nuce explain "$point" -- "$point"
offers nuce explain --campaign other "$point" -- ""
offers nuce-exchange --schedule = gree -- greedy
offers nuce-exchange --mesh = -- wing-2800 wing-53961
offers nuce-exchange --schedule rs-n-sort,rs-n -- rs-n-sort,rs-n rs-n-sort,rs-nh \
    rs-n-sort,rs-nh-back rs-n-sort,rs-nh-fixed rs-n-sort,rs-nh-lambda1
offers "$work/bin/nuce-stencil" --decomposition xy -- xy xy2 xy2-all
offers nuce-model schedule --placement b -- ""
offers nuce status be -- begun.1
offers nuce bundle be -- begun.1
offers nuce bundle --campaigns elsewhere be -- ""
offers nuce show runs --campaign be -- begun.1
offers nuce list "fi" -- figures
offers nuce export resu -- result
offers nuce query --format cs -- csv
offers nuce submit x --profile srun-pm -- srun-pmi2 srun-pmix
offers nuce run --platf -- --platform
offers nuce-model sche -- schedule
offers nuce-model schedule --emit -- --emit-schedule
ask nuce ''
for subcommand in $(nuce --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    says stdout "$subcommand"
done
ask nuce run qui
says stdout quick

# A line and a word that is offered for it, in every shell.
cat >"$work/lines" <<EOF
nuce ta:table
nuce list va:values
nuce status be:begun.1
nuce show r:runs
nuce show exchange-v:exchange-verdict
nuce table qui:quick
nuce figure al:all
nuce figure exchange-figure1:exchange-figure13
nuce run --modelled qui:quick
nuce run --platform cm:cm5-32
nuce submit x --profile srun-pm:srun-pmix
nuce env di:diff
nuce env diff ${environment%????}:$environment
nuce env diff begun.1 be:begun.1
nuce explain ${point%?}:$point
nuce compare be:begun.1
nuce export resu:result
nuce figure --format png,s:png,svg
nuce table --campaign be:begun.1
nuce-exchange --part:--partition
nuce-exchange --schedule gr:greedy
nuce-exchange --schedule ac,gr:ac,greedy
nuce-exchange --schedule=ac,gr:--schedule=ac,greedy
nuce-exchange --pattern unif:uniform
nuce-exchange --mesh wing-2:wing-2800
nuce-exchange --partition rc:rcb
nuce-stencil --decomposition rb:rb2
nuce-stencil --placement b:bm
nuce-stencil --weights meas:measured
nuce-redistribute --schedule pd:pdgemr2d
nuce-calibrate speeds --element d:double
nuce-model schedule --emit:--emit-schedule
nuce-model schedule --execution lo:loose
nuce-model arrays --decomposition xy,rb:xy,rb2
nuce-model mapping --routing upd:updown
EOF

# Those that ask_SHELL is to be asked come as lines; "LINE => WORD WORD " goes to stdout.
ask_bash() {
    while read -r line; do
        # shellcheck disable=SC2046 # words; the readline of bash cuts at =
        ask $(echo "$line" | sed 's/=/ = /')
        echo "$line => $(sed 's/^/ /' "$work/stdout" | tr -d '\n') "
    done
}
ask_zsh() {
    PATH="$work/bin:$PATH" zsh -f "$here/ask.zsh" "$scripts"
}
ask_fish() {
    while read -r line; do
        echo "$line => $(PATH="$work/bin:$PATH" fish -c \
            "source $scripts/nuce.fish; complete -C'$line'" | cut -f 1 | tr '\n' ' ')"
    done
}
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || {
        echo "not looked at: $shell is not installed" >&2
        continue
    }
    cut -d : -f 1 "$work/lines" | "ask_$shell" >"$work/answers"
    while IFS=: read -r line word; do
        # To bash the option is a word before.
        [ "$shell" != bash ] || word=${word#--*=}
        grep -F -- "$line => " "$work/answers" | grep -qF -- " $word " ||
            fail "$shell does not complete '$line': $(grep -F -- "$line => " "$work/answers")"
    done <"$work/lines"
    ! grep -q 'ac,ac' "$work/answers" || fail "$shell offers what the list has already"
done
