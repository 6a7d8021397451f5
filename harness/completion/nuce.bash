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

# _nuce_listed PROGRAM KIND: the names that 'nuce list KIND' shows.
_nuce_listed() {
    "$1" list "$2" --format csv 2>/dev/null | tail -n +2 | cut -d , -f 1
}

# _nuce_campaigns: those of the folder that the line names by --campaigns, or of campaigns/.
_nuce_campaigns() {
    local folder=campaigns at
    for ((at = 1; at < COMP_CWORD; at++)); do
        [ "${COMP_WORDS[at]}" != --campaigns ] || folder=${COMP_WORDS[at + 1]}
    done
    local plan
    for plan in "$folder"/*/plan.jsonl; do
        [ ! -e "$plan" ] || basename "$(dirname "$plan")"
    done
}

# _nuce_arguments PROGRAM SUBCOMMAND: what can follow it that is no option.
_nuce_arguments() {
    case $2 in
    list) "$1" list --help | grep -oE '[a-z]+(\|[a-z]+)+' | tr '|' '\n' ;;
    plan | run | submit) _nuce_listed "$1" configs ;;
    table | figure | show)
        [ "$2" = table ] || printf '%s\n' all campaigns points runs environments
        _nuce_listed "$1" figures
        ;;
    export) "$1" export 2>/dev/null | tail -n +2 | cut -d , -f 1 ;;
    query | doctor | verify | import) ;;
    *) _nuce_campaigns ;;
    esac
}

# _nuce_values PROGRAM OPTION: what can follow the option; nothing: files.
_nuce_values() {
    case $2 in
    --format | -f) printf '%s\n' text json csv markdown latex ;;
    --campaign) _nuce_campaigns ;;
    --profile) _nuce_listed "$1" profiles ;;
    --platform) _nuce_listed "$1" platforms ;;
    esac
}

_nuce_complete() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local subcommand='' words=
    [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == -* ]] || subcommand=${COMP_WORDS[1]}
    if [[ $word == -* ]]; then
        words=$(_nuce_options "$program" ${subcommand:+"$subcommand"})
    elif [ "$COMP_CWORD" -eq 1 ]; then
        words=$(_nuce_subcommands "$program")
    elif [[ $before == -* ]]; then
        words=$(_nuce_values "$program" "$before")
    elif [ "$(basename "$program")" = nuce ]; then
        words=$(_nuce_arguments "$program" "$subcommand")
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _nuce_complete \
    nuce nuce-bench nuce-calibrate nuce-exchange nuce-model nuce-redistribute nuce-stencil
