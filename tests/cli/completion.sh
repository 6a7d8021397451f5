#!/bin/sh
# Completion: bash's is asked for words, those of zsh and fish are read by them where they are there.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

scripts=$here/../../harness/completion
command -v bash >/dev/null || {
    echo "skipped: bash is not installed" >&2
    exit 77
}
small begun
expect 0 launch run begun.yaml
cp "$programs/nuce-model" "$work/bin/"

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

for shell in zsh fish; do
    command -v "$shell" >/dev/null || {
        echo "not looked at: $shell is not installed" >&2
        continue
    }
    case $shell in
    zsh) zsh -n "$scripts/_nuce" ;;
    fish)
        for line in "nuce ta:table" "nuce status be:begun.1" "nuce list fi:figures" \
            "nuce table qui:quick" "nuce-model schedule --emit:--emit-schedule"; do
            PATH="$work/bin:$PATH" fish -c \
                "source $scripts/nuce.fish; complete -C'${line%%:*}'" >"$work/stdout"
            cut -f 1 "$work/stdout" | grep -qxF -- "${line#*:}" ||
                fail "fish does not complete '${line%%:*}': $(cat "$work/stdout")"
        done
        ;;
    esac
done
