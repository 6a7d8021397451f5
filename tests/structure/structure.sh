#!/bin/sh
# shellcheck disable=SC2013,SC2044 # paths in the tree have no blanks
# Holds the tree against its own rules. Usage: structure.sh CHECK SOURCE-FOLDER BUILD-FOLDER
# CHECK is one of the functions below named check_*, or table, which prints
# CONTRIBUTING.md with its table anew. Exit status 1: broken, 77: cannot be checked here.
set -eu

check=$1
source_folder=$2
build_folder=$3
broken=0

complain() {
    printf '%s\n' "$*" >&2
    broken=1
}

skip() {
    printf 'skipped: %s\n' "$*" >&2
    exit 77
}

# Our files with one of the given endings, one per line; names in the tree have no blanks.
files() {
    for ending in "$@"; do
        for folder in kernels harness db tests; do
            [ ! -d "$folder" ] || find "$folder" -name "*.$ending" -type f
        done
    done | sort
}

rows() { # FILE.def...: the first argument of every row
    sed -n 's/^X(\([A-Za-z0-9_]*\).*/\1/p' "$@"
}

# Every word of each CMakeLists.txt, a line each: FOLDER WORD.
cmake_words() {
    # shellcheck disable=SC2046 # one word a file
    awk 'FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
        { sub(/#.*/, ""); gsub(/[()"]/, " "); for (i = 1; i <= NF; i++) print folder, $i }' \
        $(find kernels harness db tests -name CMakeLists.txt)
}

# Files that CMake adds to targets by rows, one per line: FOLDER FILE.
registered() {
    for list in $(find kernels harness -name CMakeLists.txt); do
        folder=${list%/*}
        for table in $(sed -n 's/^nuce_registry([^ ]* \(.*\))$/\1/p' "$list"); do
            rows "$folder/$table.def" | sed "s|.*|$folder &.c|"
        done
        ! grep -q '^nuce_workload(' "$list" || echo "$folder main.c
$folder ${folder##*/}.c"
    done
}

# Every row has its file, every file with such a table's struct its row, every .c its CMake line.
check_registries() {
    for table in $(files def); do
        names=$(rows "$table")
        [ -n "$names" ] || complain "$table: no rows"
        for name in $names; do
            # A workload may have a folder of its own beside that of the table; model_NAME.c is a row of models.def.
            [ -f "${table%/*}/$name.c" ] || [ -f "${table%/*}/../$name/$name.c" ] ||
                [ -f "${table%s.def}_$name.c" ] ||
                complain "$table: X($name) has no $name.c"
        done
        [ -z "$(printf '%s\n' "$names" | sort | uniq -d)" ] || complain "$table: a row occurs twice"
    done

    # A file is named, by its path from there, in the nearest CMakeLists.txt at or above it, or by the
    # row of a table that the list names.
    unlisted=$({ cmake_words; registered; files c; } | awk '
        NF == 2 { lists[$1] = 1; word[$1, $2] = 1; next }
        {
            folder = $1
            while (sub(/\/[^\/]*$/, "", folder) && !(folder in lists))
                ;
            if (!((folder, substr($1, length(folder) + 2)) in word))
                print $1 ": not in " folder "/CMakeLists.txt"
        }')
    [ -z "$unlisted" ] || complain "$unlisted"

    # An ops struct that is not static and is named like its file belongs to a table.
    for folder in $(files def | sed 's|/[^/]*$||' | sort -u); do
        names=" $(rows "$folder"/*.def | tr '\n' ' ') "
        for name in $(grep -E '^const struct nuce_[a-z_]+ nuce_[a-z0-9_]+ = ' "$folder"/*.c |
            sed -nE 's|^.*/([a-z0-9_]*)\.c:const struct [a-z_]+ nuce_([a-z0-9_]*_)?\1 = .*|\1|p'); do
            [ "${names#* "$name" }" != "$names" ] || complain "$folder/$name.c: no row in $folder/*.def"
        done
    done
}

# No object file holds writable data: neither at file scope nor static in a function. The flags of
# signal handlers (volatile sig_atomic_t) cannot be anything else, and what stands before the calls of
# an application that hands it nothing (kernels/capture, kernels/library/preload.c) has its state nowhere else.
check_state() {
    command -v objdump >/dev/null || skip "no objdump"
    grep -q '^NUCE_SANITIZE:BOOL=ON' "$build_folder/CMakeCache.txt" && skip "sanitizers add data"
    variables=$(for folder in kernels harness db; do
        find "$build_folder/$folder" -name '*.c.o' -not -path '*/kernels/capture/*' \
            -not -path '*/kernels/library/*/preload.c.o' -print0
    done | xargs -0 objdump -t | sed -nE "s|^$build_folder/(.*/([^/]*))\.o: +file format .*|object \1|p
        s/^[0-9a-f]+ .{6}O \.(data|bss|tdata|tbss)(\.[^r\t]*|\.rel\.local|\.rel)?\t[0-9a-f]+ +(\.hidden )?//p")
    found=0
    while read -r symbol object; do
        if [ "$symbol" = object ]; then
            found=1 of=$object
        else
            grep -rqE "static volatile sig_atomic_t ${symbol%%.*}\b" "${of%%/*}" ||
                complain "$(basename "$of"): mutable variable $symbol"
        fi
    done <<EOF
$variables
EOF
    [ "$found" = 1 ] || complain "no object files in $build_folder"
}

# No file over 1000 lines; how long the functions are is reported, not judged.
check_sizes() {
    # shellcheck disable=SC2046 # one word a file
    long=$(wc -l $(files c h sh sql def) | awk '$2 != "total" && $1 > 1000 { print $2 ": " $1 " lines" }')
    [ -z "$long" ] || complain "$long"
    # shellcheck disable=SC2046 # one word a file
    awk 'FNR == 1 { open = 0 }
        /^\{/ { open = FNR }
        /^\}/ && open { print FNR - open - 1, FILENAME ":" open; open = 0 }' $(files c) |
        sort -n | awk '{ length_of[NR] = $1; place[NR] = $2 }
        END {
            if (NR == 0) exit
            printf "%d functions: median %d lines, 90 %% up to %d\n", NR,
                length_of[int((NR + 1) / 2)], length_of[int((9 * NR + 9) / 10)]
            for (i = NR; i > NR - 5 && i > 0; i--) print length_of[i], place[i]
        }'
}

# Other versions of clang-format lay out the same style differently.
check_format() {
    formatter=clang-format-14
    command -v "$formatter" >/dev/null || formatter=clang-format
    command -v "$formatter" >/dev/null || skip "no clang-format"
    "$formatter" --version | grep -q 'version 14\.' || skip "not clang-format 14"
    # shellcheck disable=SC2046 # a list of names without spaces
    "$formatter" --dry-run --Werror $(files c h) || broken=1
}

check_shell() {
    command -v shellcheck >/dev/null || skip "no shellcheck"
    scripts=$(grep -rlIE --exclude='*.md' --exclude-dir=build --exclude-dir=.git '^#!(/bin/sh|/bin/bash|/usr/bin/env (ba)?sh)' .)
    # shellcheck disable=SC2086 # one word a file
    shellcheck -x $scripts || broken=1
}

# The lines of layers.txt. The folder of a single workload is no room: it needs no page, and no row.
rooms() {
    while read -r line; do
        grep -q '^nuce_workload(' "${line%%:*}/CMakeLists.txt" || printf '%s\n' "$line"
    done <"$build_folder/layers.txt"
}

# Headers are included by folder, so that CMake, which gives a target the folders that it links,
# holds the layers; and only the MPI layers see mpi.h.
check_layers() {
    mpi_folders=$(mktemp) includes=$(mktemp)
    {
        grep -E '^[^:]*:.* kernels/run( |$)' "$build_folder/layers.txt" | sed 's/:.*//'
        grep -lE '^nuce_workload\(|MPI::MPI_C|nuce_smpi' kernels/*/CMakeLists.txt | sed 's|/[^/]*$||'
    } >"$mpi_folders"
    # shellcheck disable=SC2046 # one word a file
    awk '/^# *include "[^"\/]*"/ { sub(/^[^"]*"/, ""); sub(/".*/, ""); print FILENAME, $0 }
         /^# *include *[<"]mpi\.h/ { print FILENAME, "<mpi.h>" }' \
        $(files c h def inc | grep -v '^tests/') >"$includes"
    while read -r file header; do
        folder=${file%/*}
        if [ "$header" = "<mpi.h>" ]; then
            grep -qxF "$folder" "$mpi_folders" || complain "$file: includes mpi.h"
        # A header that CMake generates for this folder.
        elif [ -z "$(find "$build_folder/$folder" -name "$header" 2>/dev/null)" ]; then
            complain "$file: includes $header without its folder"
        fi
    done <"$includes"
    rm -f "$mpi_folders" "$includes"
    for room in $(rooms | sed 's/:.*//'); do
        [ -f "$room/README.md" ] || complain "$room: no README.md"
        [ "$(wc -l <"$room/README.md")" -le 40 ] || complain "$room/README.md: more than 40 lines"
        # shellcheck disable=SC2016 # the backquotes are the document's
        for name in $(grep -oE '`[a-z0-9_]+\.(c|h|def|sql|txt)`' "$room/README.md" | tr -d '`'); do
            [ -f "$room/$name" ] || complain "$room/README.md: no $name in this room"
        done
        # shellcheck disable=SC2016 # the same
        for path in $(grep -oE '`(tests|plots|kernels|db)/[^`A-Z]*`' "$room/README.md" | tr -d '`' | awk '
            match($0, /\{.*\}/) {
                count = split(substr($0, RSTART + 1, RLENGTH - 2), names, ",")
                for (i = 1; i <= count; i++)
                    print substr($0, 1, RSTART - 1) names[i] substr($0, RSTART + RLENGTH)
                next
            }
            { print }'); do
            # shellcheck disable=SC2086 # the document's pattern
            ls -d $path >/dev/null 2>&1 || complain "$room/README.md: no $path"
        done
    done
    print_layers | diff CONTRIBUTING.md - >&2 ||
        complain "CONTRIBUTING.md's table is not what CMake links: structure.sh table prints it anew"
}

# CONTRIBUTING.md with its table of folders as CMake links them; a folder without a row gets one.
print_layers() {
    rooms | awk '
        function text(links, count, i, out) {
            count = split(links, folders, " ")
            for (i = 1; i <= count; i++) {
                sub(/^kernels\//, "", folders[i])
                out = out (i > 1 ? ", " : "") folders[i]
            }
            return count ? out : "nothing of ours"
        }
        FNR == NR {
            folder = $1
            sub(/:$/, "", folder)
            sub(/^[^:]*: */, "")
            order[++layers] = folder
            links[folder] = text($0)
            next
        }
        /^\| `/ {
            folder = $2
            gsub(/`/, "", folder)
            if (folder in links) {
                sub(/ \| [^|]* \|$/, " | " links[folder] " |")
                seen[folder] = 1
            } else if (folder ~ /^(kernels|harness)\/[a-z_\/]*$/ && system("test -d " folder) != 0) {
                next # gone; what is there and not built here, such as without SimGrid, stays
            }
            if (folder == "slurm") {
                for (i = 1; i <= layers; i++)
                    if (!(order[i] in seen))
                        printf "| `%s` | ? | %s |\n", order[i], links[order[i]]
            }
        }
        { print }' - CONTRIBUTING.md
}

# Lines "A B": file A includes a header of B. A .c and a .h of one name are one file, and so are parts under its name,
# such as queue_parse of queue.
file_links() {
    # shellcheck disable=SC2046 # one word a file
    awk '/^# *include "[^"]*\/[^"]*\.h"/ {
            from = FILENAME
            sub(/\.[a-z]*$/, "", from)
            sub(/^(kernels|harness)\//, "", from)
            to = $0
            sub(/^[^"]*"/, "", to)
            sub(/\.h".*/, "", to)
            if (from != to && index(to, from "_") != 1 && index(from, to "_") != 1)
                print from, to
        }' $(files c h inc | grep -v '^tests/')
}

# No folder and no file needs, by way of others, itself.
check_circles() {
    circles=$(sed 's/:/ /' "$build_folder/layers.txt" |
        awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | tsort 2>&1 >/dev/null) ||
        complain "folders in a circle: $circles"
    # Parts of a file under another name that include its header: no new ones may be added.
    known='instances/array_problem instances/decomposition'
    known="$known|schedules/fluid schedules/execution|run/control run/world"
    circles=$(file_links | sort -u | grep -vxE "$known" | tsort 2>&1 >/dev/null) || complain "files in a circle: $circles"
}

# Lines "FOLDER TAG" of the structs, enums and unions that the folders' headers declare.
header_tags() {
    # shellcheck disable=SC2046 # one word a file
    awk '/^(struct|enum|union) nuce_[a-z0-9_]+( \{|;)/ {
            folder = FILENAME
            sub(/\/[^\/]*$/, "", folder)
            sub(/^nuce_/, "", $2)
            sub(/;.*/, "", $2)
            print folder, $2
        }' $(files h | grep -v '^tests/') | sort -u
}

# Lines "FILE SYMBOL" of what object files export.
exported() {
    find "$build_folder/kernels" "$build_folder/harness" "$build_folder/db" -name '*.c.o' -print0 |
        xargs -0 nm -A -g --defined-only |
        sed -nE "s|^$build_folder/(.*)/CMakeFiles/([^/]*)\.dir/([^:]*)\.o:[0-9a-f]+ [A-Z] (.*)|\1/\3 \4 \2|p" |
        sort -u | while read -r file symbol target; do
        # Objects of files that are gone stay in a build; the sanitizers add symbols of their own.
        case $symbol in
        __odr_asan*) ;;
        *) [ ! -f "$file" ] || echo "$file $symbol ${target#nuce[-_]}" ;;
        esac
    done
}

# A name that is exported begins with its folder's, its CMake target's, its file's (or the first words of
# that) or that of a struct of its folder. MPI's own names are those of calls that one file puts itself before.
check_exported() {
    command -v nm >/dev/null || skip "no nm"
    wrong=$({ header_tags; echo; exported; } | awk '
        function begins(name, word) {
            return name == "nuce_" word || index(name, "nuce_" word "_") == 1
        }
        function singular(word) {
            sub(/s$/, "", word)
            return word
        }
        NF == 0 { symbols = 1; next }
        !symbols { sub(/_ops$/, "", $2); tags[$1] = tags[$1] " " $2; next }
        {
            seen++
            count = split($1, path, "/")
            folder = $1
            sub(/\/[^\/]*$/, "", folder)
            file = path[count]
            sub(/\.c$/, "", file)
            if ($2 == "main" || begins($2, path[count - 1]) || begins($2, singular(path[count - 1])) || begins($2, $3))
                next
            if ((file == "polite_waits" || $1 == "kernels/library/preload.c") && $2 ~ /^P?MPI_/)
                next
            if (file == "nuce_mpi") # the names of MPI, with nuce_ for MPI_
                next
            if (file == "tap_leave" && $2 ~ /^(_exit|_Exit|quick_exit)$/)
                next
            for (word = file; word != ""; sub(/_?[^_]*$/, "", word))
                if (begins($2, word))
                    next
            known = split(tags[folder], tag, " ")
            for (i = 1; i <= known; i++)
                if (begins($2, tag[i]) || $2 == "nuce_" tag[i] "s")
                    next
            print $1 ": exports " $2 ", which begins with the name of neither folder, file nor struct"
        }
        END { if (!seen) print "no symbols found in object files" }')
    [ -z "$wrong" ] || complain "$wrong"
}

# Lines "TAG FILE" of structs, enums and unions. Second files of one header, such as counters_none.c of counters.h,
# define its structs in their own way.
tags() {
    # shellcheck disable=SC2046 # one word a file
    awk '/^[ \t]*(static )?(const )?(struct|enum|union) [a-z0-9_]+ \{/ {
            match($0, /(struct|enum|union) [a-z0-9_]+/)
            split(substr($0, RSTART, RLENGTH), word, " ")
            print word[2], FILENAME
        }' $(files c h | grep -v '^tests/') |
        while read -r tag file; do
            [ ! -f "${file%_*}_none.c" ] || file=${file%_*}
            echo "$tag $file"
        done | sort -u
}

guards() {
    # shellcheck disable=SC2046 # one word a file
    awk 'FNR == 1 { found = 0 } /^#ifndef / && !found { found = 1; print $2, FILENAME }' $(files h)
}

# "NAME FILE" a line: says which names are in several files.
complain_shared() { # WHAT
    shared=$(awk -v what="$1" '{ count[$1]++; places[$1] = places[$1] " " $2 }
        END {
            if (NR == 0) print "no " what "s found"
            for (name in count) if (count[name] > 1) print what " " name " is in several files:" places[name]
        }')
    [ -z "$shared" ] || complain "$shared"
}

# Names mean something in a profile, a debugger and grep: each is in one place.
check_names() {
    # Its names are still to be distinguished: no name may be added.
    known='kernels/programs/model_'
    check_exported
    # complain says it in this shell, so no pipes here.
    tags | grep -v " $known" >"$scratch" && complain_shared "tag" <"$scratch"
    guards >"$scratch" && complain_shared "include guard" <"$scratch"
}

cd "$source_folder"
case $check in
registries) check_registries ;;
state) check_state ;;
sizes) check_sizes ;;
format) check_format ;;
shell) check_shell ;;
layers) check_layers ;;
circles) check_circles ;;
names)
    scratch=$(mktemp)
    trap 'rm -f "$scratch"' EXIT
    check_names
    ;;
table) print_layers ;;
*) complain "unknown check $check" ;;
esac
exit "$broken"
