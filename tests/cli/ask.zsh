# zsh's part of completion.sh: reads lines, completes each in an interactive zsh on a terminal of
# its own, and prints what is offered: "LINE => WORD WORD ". Called with the folder of _nuce.
emulate -R zsh
zmodload zsh/zpty
scripts=$1
out=$(mktemp)
trap 'rm -f $out' EXIT

# What matches is written down where it is added: the terminal is not read.
zpty shell zsh -f -i
zpty -w shell "PROMPT=; out=${(q)out}; fpath=(${(q)scripts} \$fpath)
autoload -Uz compinit; compinit -u -D
compadd() {
    local -a hits
    if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -O hits \"\$@\"
        (( \$#hits )) && print -rl -- \$IPREFIX\${^hits} >>\$out
    fi
    builtin compadd \"\$@\"
}
_asked() { print END >>\$out }
ask() { comppostfuncs=(_asked); _main_complete }
zle -C ask complete-word ask
bindkey '^X' ask
print END >>\$out"

wait_for_end() {
    repeat 1200; do
        grep -qx END $out && return
        sleep 0.05
    done
    print -u2 "zsh does not answer '$1'"
    exit 1
}

wait_for_end
while read -r line; do
    : >$out
    zpty -w -n shell $'\C-u'"$line"$'\C-x'
    wait_for_end $line
    print -r -- "$line => $(grep -vx END $out | tr '\n' ' ')"
done
zpty -d shell
