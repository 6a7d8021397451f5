#!/bin/sh
# Writes the manual page of a subcommand from its --help: make-man-page.sh HELP2MAN NUCE SUBCOMMAND PAGE
set -eu

help2man=$1
nuce=$2
subcommand=$3
page=$4

# Summaries must stay on one line.
summary=$(ARGP_HELP_FMT=rmargin=250 "$nuce" --help | sed -n "s/^  $subcommand  *//p")
title=$(printf 'NUCE-%s' "$subcommand" | tr '[:lower:]' '[:upper:]')
"$help2man" --no-info --name "$summary" --output "$page.new" "$nuce $subcommand"
sed -e "s/^\.TH [^ ]* /.TH $title /" -e "s/^nuce \\\\- /nuce-$subcommand \\\\- /" "$page.new" >"$page"
rm "$page.new"
