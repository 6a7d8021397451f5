#!/bin/sh
# Installs the build into a folder of its own, checks the files, and builds and runs a small
# project against it. Usage: consumer.sh CMAKE BUILD-FOLDER EXAMPLE-FOLDER C-COMPILER
set -eu

cmake=$1
build=$2
example=$3
compiler=$4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix with blanks"

"$cmake" --install "$build" --prefix "$prefix" >"$work/install.log"

# Every installed program prints its version, and has its manual page if pages exist.
pages=$(find "$prefix" -name '*.1' | wc -l)
for program in "$prefix"/bin/*; do
    name=$(basename "$program")
    "$program" --version | grep -q "^$name " || {
        echo "$name --version says something else" >&2
        exit 1
    }
    if [ "$pages" -gt 0 ] && [ ! -s "$prefix/share/man/man1/$name.1" ]; then
        echo "$name has no manual page" >&2
        exit 1
    fi
done
# The simulating programs can be executed, if they are installed.
for kernel in "$prefix"/libexec/nuce/simulated/*; do
    [ ! -e "$kernel" ] || [ -x "$kernel" ] || {
        echo "$kernel cannot be executed" >&2
        exit 1
    }
done
[ -s "$prefix"/share/doc/nuce/LICENSE ]
[ -s "$prefix"/share/doc/nuce/docs/papers/exchange.md ]
if [ "$pages" -gt 0 ]; then
    for subcommand in $("$prefix/bin/nuce" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        grep -q "^nuce-$subcommand .* [a-z]" "$prefix/share/man/man1/nuce-$subcommand.1" || {
            echo "nuce $subcommand has no manual page" >&2
            exit 1
        }
    done
    for page in "$prefix"/share/man/man[135]/nuce*; do
        for section in NAME EXAMPLES FILES "SEE ALSO"; do
            [ "$section $(basename "$page")" = "FILES nuce-bench.1" ] ||
                grep -q "^\.SH \"*$section" "$page" || {
                echo "$page has no $section" >&2
                exit 1
            }
        done
        # A link that is left, and a line of help that became a paragraph.
        if grep -n '](\|^, ' "$page"; then exit 1; fi
    done
    # apropos finds all of them, where there is one.
    if command -v mandb >"$work/mandb.log"; then
        mandb --quiet --create --user-db "$prefix/share/man" >>"$work/mandb.log" 2>&1
        found=$(man -M "$prefix/share/man" -k nuce | cut -d ' ' -f 1 | sort -u | wc -l)
        [ "$found" -ge "$((pages + 2))" ] || {
            echo "man -k nuce finds $found of $((pages + 2)) manual pages" >&2
            exit 1
        }
    fi
fi

"$cmake" -S "$example" -B "$work/example" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$compiler" >"$work/configure.log"
"$cmake" --build "$work/example" >"$work/build.log"
said=$("$work/example/example")
echo "$said"
case $said in
*" messages in "*" phases") ;;
*) exit 1 ;;
esac
