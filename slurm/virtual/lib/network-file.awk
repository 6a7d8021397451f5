# Checks a NETWORK FILE and writes it in one form, numbers as tc takes them:
#   ranks P | pair I J BITS_PER_SECOND STARTUP_MICROSECONDS | port I OUT IN | speed I RELATIVE
# Variables: file (its name in messages), nodes (of the cluster), only=speeds (nothing but speeds).
function wrong(value, expected) {
    printf "%s:%d: '%s': expected %s\n", file, NR, value, expected >"/dev/stderr"
    failed = 1
    exit 2
}

function number(text) {
    return text ~ /^[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/
}

function rank(text) {
    if (text !~ /^[0-9]+$/ || length(text) > 6 || text + 0 >= ranks)
        wrong(text, "a rank, 0 to " ranks - 1)
    return text + 0
}

# Converts bytes per second to bits per second.
function rate(text) {
    if (!number(text) || text + 0 < 1 || text + 0 > 1e12)
        wrong(text, "bytes per second, 1 to 1e12")
    return sprintf("%.0f", text * 8)
}

function once(what) {
    if (what in seen)
        wrong($0, "each only once, and this is in line " seen[what] " already")
    seen[what] = NR
}

function fields(wanted, form) {
    if (NF != wanted)
        wrong($0, form)
}

BEGIN { ranks = only == "speeds" ? nodes : -1 }
{
    sub(/\r$/, "")
    sub(/#.*/, "")
    sub(/[ \t]+$/, "")
    sub(/^[ \t]+/, "")
}
NF == 0 { next }
$1 == "ranks" {
    fields(2, "'ranks P'")
    once("ranks")
    if ($2 !~ /^[0-9]+$/ || length($2) > 6 || $2 + 0 < 1 || $2 + 0 > nodes)
        wrong($2, "a number of ranks, 1 to " nodes " (the cluster's nodes)")
    ranks = $2 + 0
    print "ranks", ranks
    next
}
ranks < 0 { wrong($0, "'ranks P' before anything else") }
$1 == "speed" {
    fields(3, "'speed RANK RELATIVE'")
    i = rank($2)
    once("speed " i)
    if (!number($3) || $3 + 0 < 0.001 || $3 + 0 > 1)
        wrong($3, "a speed, 0.001 to 1 (the fastest node)")
    print "speed", i, $3 + 0
    next
}
only == "speeds" { wrong($0, "'speed RANK RELATIVE'") }
$1 == "port" {
    fields(4, "'port RANK OUT_BYTES_PER_SECOND IN_BYTES_PER_SECOND'")
    i = rank($2)
    once("port " i)
    print "port", i, rate($3), rate($4)
    next
}
{
    fields(4, "'I J STARTUP_SECONDS BYTES_PER_SECOND', 'port ...' or 'speed ...'")
    i = rank($1)
    j = rank($2)
    if (i == j)
        wrong($0, "two different ranks")
    once("pair " i " " j)
    if (!number($3) || $3 + 0 > 10)
        wrong($3, "a startup time in seconds, 0 to 10")
    print "pair", i, j, rate($4), sprintf("%.0f", $3 * 1e6)
}
END {
    if (!failed && ranks < 0) {
        printf "%s:1: nothing in it; expected 'ranks P'\n", file >"/dev/stderr"
        exit 2
    }
}
