# Completion of nuce and its programs in fish. What can stand on a line is asked of the program.

function __nuce_line
    commandline -opc
end

# The program, and its subcommand where the line has one.
function __nuce_command
    set -l line (__nuce_line)
    if set -q line[2]; and not string match -q -- '-*' $line[2]
        string join \n $line[1..2]
    else
        echo $line[1]
    end
end

function __nuce_subcommands
    set -l line (__nuce_line)
    $line[1] --help 2>/dev/null | string match -r '^  [a-z]+ +[^ ].*' |
        string replace -r '^  ([a-z]+) +(.*)' '$1\t$2'
end

# ARGUMENT...: the first column of what the program prints.
function __nuce_csv
    set -l line (__nuce_line)
    $line[1] $argv --format csv 2>/dev/null | tail -n +2 | cut -d , -f 1
end

function __nuce_figures
    set -l line (__nuce_line)
    $line[1] list figures --format csv 2>/dev/null | awk -F , '$3 ~ /figure/ { print $1 }'
end

function __nuce_options
    set -l command (__nuce_command)
    $command --help 2>/dev/null | string match -r -- '(?:^ +|, )--[a-z][a-z-]*' |
        string replace -r -- '.*(--[a-z-]+)' '$1'
end

# OPTION DEFAULT: what the line has behind the option.
function __nuce_given
    set -l line (__nuce_line)
    if set -l at (contains -i -- $argv[1] $line); and set -q line[(math $at + 1)]
        echo $line[(math $at + 1)]
    else
        echo $argv[2]
    end
end

function __nuce_campaigns
    for plan in (__nuce_given --campaigns campaigns)/*/plan.jsonl
        basename (dirname $plan)
    end
end

# The first digits of the points of the campaigns there are, as 'nuce show points' has them.
function __nuce_points
    set -l campaign (__nuce_given --campaign '')
    for plan in (__nuce_given --campaigns campaigns)/*/plan.jsonl
        if test -z "$campaign" -o (basename (dirname $plan)) = "$campaign"
            string replace -fr '.*"point":"([0-9a-f]{8}).*' '$1' <$plan
        end
    end | sort -u
end

function __nuce_environments
    __nuce_csv show environments --database (__nuce_given --database nuce.db)
end

# SUBCOMMAND: a and b where its usage line has a|b.
function __nuce_help_choices
    set -l line (__nuce_line)
    $line[1] $argv --help 2>/dev/null | head -n 2 | string match -r '[a-z]+(?:\|[a-z]+)+' |
        string split '|'
end

function __nuce_tables
    set -l line (__nuce_line)
    $line[1] export 2>/dev/null | tail -n +2 | cut -d , -f 1
end

# OPTION: the names that a kernel's option may have, and those that stand in the help as
# --option=a|b.
function __nuce_names
    set -l command (__nuce_command)
    set -l nuce (string replace -r '[^/]*$' nuce $command[1])
    set -l name (basename $command[1]) $command[2]
    $nuce list values --format csv 2>/dev/null |
        awk -F , -v command="$name" -v option=(string sub -s 3 -- $argv[1]) \
            '$2 == option && ($4 == command || $5 == command) { print $3 }'
    $command --help 2>/dev/null |
        string match -rg -- "^ +$argv[1]=([a-z]+(?:\|[a-z]+)+)" | string split '|'
end

function __nuce_formats
    set -l command (__nuce_command)
    $command --help 2>/dev/null | sed -n '/--format=/,/^ *-/p' |
        grep -owE 'text|json|csv|markdown|latex|svg|png|pdf' | sort -u
end

# OPTION: what can follow it.
function __nuce_values_of
    switch $argv[1]
        case --format
            __nuce_formats
        case --campaign
            __nuce_campaigns
        case --environment
            __nuce_environments
        case --run
            __nuce_csv show runs --database (__nuce_given --database nuce.db)
        case --profile --platform
            __nuce_csv list (string sub -s 3 -- $argv[1])s
        case '--*'
            set -l line (__nuce_line)
            test (basename $line[1]) = nuce; or __nuce_names $argv[1]
    end
end

# The option, by its long name, whose value the cursor is at: before it, or in --option=.
function __nuce_valued
    set -l option (string match -r -- '^--[a-z-]+(?==)' (commandline -ct))
    set -l line (__nuce_line)
    if test -z "$option"
        set option $line[-1]
        string match -q -- '-*' $option; or return 1
    end
    set -l command (__nuce_command)
    $command --help 2>/dev/null | string match -r -- "^ +(?:-., )?$option(?:=|, ).*" |
        string match -rg -- '^ +(?:-., )?(--[a-z][a-z-]*)='
end

# The values of the option at the cursor that its comma list has not yet, behind that.
function __nuce_values
    set -l option (__nuce_valued)
    set -l word (commandline -ct)
    set -l before (string match -r -- '^--[a-z-]+=' $word)
    set -l list (string match -r -- '.*,' (string sub -s (math 1 + (string length -- "$before")) -- $word))
    for value in (__nuce_values_of $option)
        contains -- $value (string split , -- "$list"); or echo -- "$before$list$value"
    end
end

function __nuce_after
    set -l line (__nuce_line)
    set -q line[2]; and contains -- $line[2] $argv; and not __nuce_valued >/dev/null
end

function __nuce_is_words
    test (count (__nuce_line)) -eq $argv[1]
end

complete -c nuce -n '__nuce_after list show' -f -a '(__nuce_help_choices (__nuce_line)[2])'
complete -c nuce -n '__nuce_after plan run submit' -a '(__nuce_csv list configs)'
complete -c nuce -n '__nuce_after table show' -f -a '(__nuce_csv list figures)'
complete -c nuce -n '__nuce_after figure' -f -a 'all (__nuce_figures)'
complete -c nuce -n '__nuce_after explain' -f -a '(__nuce_points)'
complete -c nuce -n '__nuce_after env; and __nuce_is_words 2' -f -a diff
complete -c nuce -n '__nuce_after env; and not __nuce_is_words 2' -f -a '(__nuce_environments)'
complete -c nuce -n '__nuce_after compare' -f \
    -a '(__nuce_environments; __nuce_csv list schedules; __nuce_csv list decompositions; __nuce_csv list placements)'
complete -c nuce -n '__nuce_after export' -f -a '(__nuce_tables)'
complete -c nuce -n '__nuce_after status resume cancel collect bundle report compare' \
    -a '(__nuce_campaigns)'
complete -c nuce -n '__nuce_after env; and not __nuce_is_words 2' -a '(__nuce_campaigns)'
for program in nuce nuce-bench nuce-calibrate nuce-exchange nuce-model nuce-redistribute nuce-stencil
    complete -c $program -n __fish_use_subcommand -a '(__nuce_subcommands)'
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__nuce_options)'
    complete -c $program -n __nuce_valued -a '(__nuce_values)'
end
