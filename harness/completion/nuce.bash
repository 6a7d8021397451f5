# Completion of nuce and its programs in bash; installed where bash-completion finds it. Without
# that: source this file. What can stand on a line is asked of the program itself.

# _nuce_subcommands PROGRAM: the subcommands there are.
_nuce_subcommands() {
    "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *[^ ].*/\1/p'
}

# _nuce_options PROGRAM [SUBCOMMAND]: its long options.
_nuce_options() {
    "$@" --help 2>/dev/null | sed -nE 's/^ +(-., )?(--[a-z][a-z-]*).*/\2/p'
}

# _nuce_valued OPTION PROGRAM [SUBCOMMAND]: the long name of an option that takes a value.
_nuce_valued() {
    local option=$1
    shift
    "$@" --help 2>/dev/null |
        sed -nE "/^ +(-., )?$option(=|, )/s/^ +(-., )?(--[a-z][a-z-]*)=.*/\\2/p"
}

# _nuce_csv COLUMN PROGRAM ARGUMENT...: a column of what it prints.
_nuce_csv() {
    local column=$1
    shift
    "$@" --format csv 2>/dev/null | tail -n +2 | cut -d , -f "$column"
}

# _nuce_given OPTION DEFAULT: what the line has behind the option.
_nuce_given() {
    local at value=$2
    for ((at = 1; at < COMP_CWORD; at++)); do
        [ "${COMP_WORDS[at]}" != "$1" ] || value=${COMP_WORDS[at + 1]}
    done
    printf '%s\n' "$value"
}

_nuce_campaigns() {
    local plan
    for plan in "$(_nuce_given --campaigns campaigns)"/*/plan.jsonl; do
        [ ! -e "$plan" ] || basename "$(dirname "$plan")"
    done
}

# The first digits of the points of the campaigns there are, as 'nuce show points' has them.
_nuce_points() {
    local folder
    folder=$(_nuce_given --campaigns campaigns)/$(_nuce_given --campaign '*')
    # shellcheck disable=SC2086 # a pattern
    sed -n 's/.*"point":"\([0-9a-f]\{8\}\).*/\1/p' $folder/plan.jsonl 2>/dev/null | sort -u
}

_nuce_environments() {
    _nuce_csv 1 "$1" show environments --database "$(_nuce_given --database nuce.db)"
}

# _nuce_help_choices PROGRAM [SUBCOMMAND]: "a b" where its usage line has a|b.
_nuce_help_choices() {
    "$@" --help 2>/dev/null | sed 2q | grep -oE '[a-z]+(\|[a-z]+)+' | tr '|' '\n'
}

# _nuce_arguments PROGRAM SUBCOMMAND: what can follow it that is no option.
_nuce_arguments() {
    case $2 in
    list) _nuce_help_choices "$1" list ;;
    plan | run | submit) _nuce_csv 1 "$1" list configs ;;
    table) _nuce_csv 1 "$1" list figures ;;
    figure)
        echo all
        "$1" list figures --format csv 2>/dev/null | awk -F , '$3 ~ /figure/ { print $1 }'
        ;;
    show)
        _nuce_help_choices "$1" show
        _nuce_csv 1 "$1" list figures
        ;;
    explain) _nuce_points ;;
    env)
        if [ "$COMP_CWORD" -eq 2 ]; then
            echo diff
        else
            _nuce_environments "$1"
            _nuce_campaigns
        fi
        ;;
    compare)
        _nuce_campaigns
        _nuce_environments "$1"
        _nuce_csv 1 "$1" list schedules
        _nuce_csv 1 "$1" list decompositions
        _nuce_csv 1 "$1" list placements
        ;;
    export) "$1" export 2>/dev/null | tail -n +2 | cut -d , -f 1 ;;
    status | resume | cancel | collect | bundle | report) _nuce_campaigns ;;
    esac
}

# _nuce_formats PROGRAM [SUBCOMMAND]: those that its help names.
_nuce_formats() {
    "$@" --help 2>/dev/null | sed -n '/--format=/,/^ *-/p' |
        grep -owE 'text|json|csv|markdown|latex|svg|png|pdf' | sort -u
}

# _nuce_names PROGRAM SUBCOMMAND OPTION: the names that a kernel's option may have, and those that
# stand in the help as --option=a|b.
_nuce_names() {
    local nuce=nuce
    [[ $1 != */* ]] || nuce=${1%/*}/nuce
    "$nuce" list values --format csv 2>/dev/null |
        awk -F , -v command="${1##*/}${2:+ $2}" -v option="${3#--}" \
            '$2 == option && ($4 == command || $5 == command) { print $3 }'
    "$1" ${2:+"$2"} --help 2>/dev/null |
        sed -nE "s/^ +$3=([a-z]+(\\|[a-z]+)+).*/\\1/p" | tr '|' '\n'
}

# _nuce_values PROGRAM SUBCOMMAND OPTION: what can follow the option; nothing: files.
_nuce_values() {
    case $3 in
    --format) _nuce_formats "$1" ${2:+"$2"} ;;
    --campaign) _nuce_campaigns ;;
    --environment) _nuce_environments "$1" ;;
    --run) _nuce_csv 1 "$1" show runs --database "$(_nuce_given --database nuce.db)" ;;
    --profile) _nuce_csv 1 "$1" list profiles ;;
    --platform) _nuce_csv 1 "$1" list platforms ;;
    --*) [ "${1##*/}" = nuce ] || _nuce_names "$@" ;;
    esac
}

# _nuce_in_list LIST: of the words on stdin those that the comma list has not, behind it.
_nuce_in_list() {
    local value
    while read -r value; do
        [[ ,$1 == *,$value,* ]] || printf '%s\n' "$1$value"
    done
}

_nuce_complete() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))
    local subcommand='' words='' list='' option=''
    [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == -* ]] || subcommand=${COMP_WORDS[1]}
    # Readline takes "--option=value" for three words.
    [ "$word" != = ] || word=
    if [ "${COMP_WORDS[at]}" = = ]; then
        at=$((at - 1))
    elif [ "${COMP_WORDS[COMP_CWORD]}" != = ] && [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(
            compgen -W "$(_nuce_options "$program" ${subcommand:+"$subcommand"})" -- "$word"
        )
        return
    fi
    if [ "$at" -gt 0 ] && [[ ${COMP_WORDS[at]} == -* ]]; then
        option=$(_nuce_valued "${COMP_WORDS[at]}" "$program" ${subcommand:+"$subcommand"})
    fi
    if [ -n "$option" ]; then
        [[ $word != *,* ]] || list=${word%,*},
        words=$(_nuce_values "$program" "$subcommand" "$option" | _nuce_in_list "$list")
        # A comma may follow.
        [ "${program##*/}" = nuce ] || compopt -o nospace 2>/dev/null || true
    elif [ "$COMP_CWORD" -eq 1 ]; then
        words=$(_nuce_subcommands "$program")
    elif [ "${program##*/}" = nuce ]; then
        words=$(_nuce_arguments "$program" "$subcommand")
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _nuce_complete \
    nuce nuce-bench nuce-calibrate nuce-exchange nuce-model nuce-redistribute nuce-stencil
