#!/bin/sh
# Writes the manual page of a program, or of a subcommand of nuce, from its --help:
#     make-man-page.sh HELP2MAN PROGRAM PAGE [SUBCOMMAND]
# help2man makes name, synopsis and options. Examples are laid out here; files, variables and other pages
# come from the tables below. Lines of --help are not broken on the way: each would be a paragraph.
set -eu

help2man=$1
program=$2
page=$3
subcommand=${4:-}
name=$(basename "$program")${subcommand:+-$subcommand}
export ARGP_HELP_FMT=rmargin=2000

# PAGES | what it is | what it is for. PAGES: of nuce without "nuce-", "*" for all.
files() {
    cat <<'TABLE'
run plan submit list|share/nuce/configs/*.yaml|the sweeps that nuce ships, below the prefix of its installation
submit resume plan list|share/nuce/slurm/profiles/*.yaml|the profiles of clusters that it ships
table figure show report|share/nuce/plots|the tables and figures that it ships, and the papers' numbers
run race submit resume status cancel explain collect bundle import report job|campaigns/NAME.N|a campaign: sweep, plan, records, logs, job scripts (--campaigns)
run race resume collect show query compare advise env table figure report export import explain status|nuce.db|the database, which nuce collect can make of the records again (--database)
capture show export figure|nuce.capture|a capture (--output)
exchange redistribute stencil calibrate model|networks|NETWORK FILEs that nuce-calibrate measured (--networks)
figure|figures|the pictures (--output)
report|report.html|the page (--output)
advise|app.tuning|a tuning file (--write, --check)
advise|campaigns/check.N|the campaign of a check, a race (--check)
apply|nuce.tuning|the tuning file (--tuning)
bundle verify import|CAMPAIGN.tar.gz|a bundle
doctor|share/nuce/mpi.conf|name and launcher of the MPI library of this build, below its prefix
query|share/nuce/db|the definition of the database, below the prefix of the installation
TABLE
}

variables() {
    cat <<'TABLE'
capture|NUCE_CAPTURE_FOLDER|set for the application: the folder of raw files. The preloaded library records nothing without it.
capture|NUCE_CAPTURE_YIELD|set for the application: 1 with --yield, else 0
capture apply|LD_PRELOAD|libraries that are loaded beside that of nuce
apply|NUCE_TUNING|set for the application: the tuning file. The preloaded library replaces nothing without it.
apply|NUCE_TUNING_USED|set for the application: the file of --used
capture apply race|PATH|where the command is looked for
report bundle verify import|TMPDIR|folder for temporary files; default: /tmp
run resume submit doctor job|SLURM_JOB_ID, SLURM_STEP_ID|an allocation: nuce runs in it. Other SLURM_* variables of it are not handed on to new jobs.
exchange redistribute stencil calibrate|SLURM_CONF|slurm.conf, beside which topology.conf is looked for
exchange redistribute stencil calibrate|UCX_*, FI_*, MPICH_*, MPIR_CVAR_*, OMP_*, SLURM_*|recorded with each run, but none whose name contains TOKEN, SECRET, KEY, PASS, JWT, AUTH or CRED
*|ARGP_HELP_FMT|layout of --help, such as rmargin=120
TABLE
}

others() {
    cat <<'TABLE'
plan run race|nuce-sweep(5)
list|nuce-plan(1), nuce-figure(1), nuce-sweep(5)
plan|nuce-run(1), nuce-submit(1)
run|nuce-plan(1), nuce-resume(1), nuce-show(1), nuce-figure(1)
submit|nuce-plan(1), nuce-status(1), nuce-resume(1), nuce-cancel(1), nuce-job(1), sbatch(1)
race|nuce-show(1), nuce-resume(1), nuce-compare(1), nuce-run(1)
resume|nuce-status(1), nuce-explain(1), nuce-run(1), nuce-submit(1)
status|nuce-submit(1), nuce-resume(1), nuce-explain(1), nuce-cancel(1)
cancel|nuce-submit(1), nuce-status(1), nuce-resume(1), scancel(1)
explain|nuce-status(1), nuce-resume(1)
collect|nuce-show(1), nuce-import(1), nuce-query(1)
show|nuce-table(1), nuce-figure(1), nuce-report(1), nuce-compare(1)
query|nuce-export(1), nuce-show(1), sqlite3(1)
compare|nuce-show(1), nuce-env(1)
apply|nuce-advise(1), nuce-capture(1), nuce_mpi(3)
advise|nuce-apply(1), nuce-capture(1), nuce-race(1), nuce-run(1), nuce-report(1)
env|nuce-compare(1), nuce-show(1)
table|nuce-figure(1), nuce-show(1), nuce-list(1)
figure|nuce-table(1), nuce-report(1), nuce-list(1), gnuplot(1)
report|nuce-figure(1), nuce-table(1), nuce-bundle(1)
export|nuce-query(1), nuce-bundle(1), nuce-capture(1)
bundle|nuce-verify(1), nuce-import(1)
verify|nuce-bundle(1), nuce-import(1)
import|nuce-bundle(1), nuce-verify(1), nuce-collect(1)
capture|nuce-show(1), nuce-export(1), nuce-figure(1), nuce-sweep(5)
doctor|nuce-run(1), nuce-submit(1)
job|nuce-submit(1), nuce-resume(1)
exchange redistribute stencil|nuce-calibrate(1), nuce-model(1), nuce-run(1), mpiexec(1)
calibrate|nuce-exchange(1), nuce-stencil(1), nuce-run(1), mpiexec(1)
model|nuce-run(1), nuce-exchange(1), nuce-stencil(1), nuce-redistribute(1)
TABLE
}

# Rows of a table for this page, as entries below a heading; nothing where there is none.
entries() {
    awk -F '|' -v heading="$1" -v name="${name#nuce-}" '
    index(" " $1 " ", " " name " ") || $1 == "*" || name == "nuce" {
        if (!count++) print ".SH " heading
        print ".TP\n.B " $2 "\n" $3
    }' | sed 's/-/\\-/g'
}

# The names of the pages in bold, those of nuce itself first.
see_also() {
    printf '.SH "SEE ALSO"\n'
    {
        if [ "$name" = nuce ]; then
            "$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/nuce-\1(1)/p'
            printf 'nuce-exchange(1)\nnuce-stencil(1)\nnuce-redistribute(1)\nnuce-calibrate(1)\nnuce-model(1)\nnuce-sweep(5)\n'
        else
            echo 'nuce(1)'
            others | awk -F '|' -v name="${name#nuce-}" 'index(" " $1 " ", " " name " ") {
                gsub(/, /, "\n", $2); print $2 }' | awk '!seen[$0]++'
        fi
    } | sed -e 's/-/\\-/g' -e 's/\(.*\)\(([0-9])\)/.BR \1 \2 ,/' | sed '$s/ ,$//'
}

help() { "$program" ${subcommand:+"$subcommand"} --help; }
if [ -n "$subcommand" ]; then
    summary=$("$program" --help | sed -n "s/^  $subcommand  *//p")
else # the first sentence of what it says of itself
    summary=$(help | awk 'NR > 1 && NF { print; exit }' |
        sed -e 's/\.\( .*\)*$//' | awk '{ print tolower(substr($0, 1, 1)) substr($0, 2) }')
fi
title=$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]')
"$help2man" --no-info --name "$summary" --output "$page.new" "$program${subcommand:+ $subcommand}"
{
    # A group of options has its heading, and examples are laid out below.
    sed -e "s/^\.TH [^ ]* /.TH $title /" -e "s/^nuce.* \\\\- /$name \\\\- /" -e '/^\.SH EXAMPLES/,$d' \
        "$page.new" | awk '
        held { held = 0; if (/:$/) { print ".SS \"" $0 "\""; next } print ".IP" }
        /^\.IP$/ { held = 1; next }
        { print }'
    help | sed -e '1,/^Examples:$/d' -e 's/\\/\\e/g' -e 's/-/\\-/g' | awk '
    BEGIN { print ".SH EXAMPLES" }
    /^      / {
        sub(/^ +/, "")
        print ".PP\n" toupper(substr($0, 1, 1)) substr($0, 2) ":\n.PP\n.RS 4\n.EX\n" command ".EE\n.RE"
        command = ""
        next
    }
    { command = command substr($0, 3) "\n" }'
    files | entries FILES
    variables | entries ENVIRONMENT
    see_also
} >"$page.made"
rm "$page.new"
mv "$page.made" "$page"
