# Completion of nuce and its programs in fish. What can stand on a line is asked of the program.

function __nuce_line
    commandline -opc
end

function __nuce_subcommands
    set -l line (__nuce_line)
    $line[1] --help 2>/dev/null | string match -r '^  [a-z]+ +[^ ].*' |
        string replace -r '^  ([a-z]+) +(.*)' '$1\t$2'
end

function __nuce_listed
    set -l line (__nuce_line)
    $line[1] list $argv[1] --format csv 2>/dev/null | tail -n +2 | cut -d , -f 1
end

function __nuce_options
    set -l line (__nuce_line)
    set -l command $line[1]
    if set -q line[2]; and not string match -q -- '-*' $line[2]
        set command $line[1..2]
    end
    $command --help 2>/dev/null | string match -r -- '(?:^ +|, )--[a-z][a-z-]*' |
        string replace -r -- '.*(--[a-z-]+)' '$1'
end

function __nuce_campaigns
    for plan in campaigns/*/plan.jsonl
        basename (dirname $plan)
    end
end

function __nuce_tables
    set -l line (__nuce_line)
    $line[1] export 2>/dev/null | tail -n +2 | cut -d , -f 1
end

function __nuce_kinds
    set -l line (__nuce_line)
    $line[1] list --help | string match -r '[a-z]+(?:\|[a-z]+)+' | string split '|'
end

function __nuce_after
    set -l line (__nuce_line)
    set -q line[2]; and contains -- $line[2] $argv
end

complete -c nuce -n '__nuce_after list' -f -a '(__nuce_kinds)'
complete -c nuce -n '__nuce_after plan run submit' -a '(__nuce_listed configs)'
complete -c nuce -n '__nuce_after table figure show' -f -a '(__nuce_listed figures)'
complete -c nuce -n '__nuce_after figure' -f -a all
complete -c nuce -n '__nuce_after show' -f -a 'campaigns points runs environments'
complete -c nuce -n '__nuce_after export' -f -a '(__nuce_tables)'
complete -c nuce -n 'not __nuce_after list plan run submit table figure show export query doctor verify import; and not __fish_use_subcommand' \
    -a '(__nuce_campaigns)'
for program in nuce nuce-bench nuce-calibrate nuce-exchange nuce-model nuce-redistribute nuce-stencil
    complete -c $program -n __fish_use_subcommand -a '(__nuce_subcommands)'
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__nuce_options)'
end
