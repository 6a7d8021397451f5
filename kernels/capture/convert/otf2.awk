# An archive of OTF2, as Score-P writes it -> calls (docs/capture-formats.md): what `otf2-print -A -C NAME.otf2`
# prints.
#     awk -f otf2.awk NAME.txt >FILE.calls
# Of a receive or a collective call that does not block the text says at its end what it was: lines are
# kept until then. Of a collective call it has each rank's sum of bytes alone. That a receive took any
# source it does not say. Errors name file:line:column; the exit status is then 2.

function fail(at, message) {
    message = FILENAME ":" FNR ":" at ": " message
    print message >"/dev/stderr"
    printf "\n%s\n", message # for nuce: other programs write to stderr too
    failed = 1
    exit 2
}

# The number behind the key; with `in_brackets` that in <> behind it; "": there is none.
function field(key, in_brackets) {
    if (!match($0, key ": "))
        return ""
    key = substr($0, RSTART + RLENGTH)
    if (in_brackets)
        return match(key, /<[0-9]+>/) ? substr(key, RSTART + 1, RLENGTH - 2) : ""
    sub(/[, ].*/, "", key)
    return key
}

# Members of a group as locations, in their order.
function note_group(    text, list, n) {
    text = $0
    sub(/.*Members?: /, "", text)
    for (n = 0; match(text, /<[0-9]+>/); text = substr(text, RSTART + RLENGTH))
        members[$2, n++] = substr(text, RSTART + 1, RLENGTH - 2)
    sizes[$2] = n
    types[$2] = field("Type")
    if (types[$2] == "COMM_LOCATIONS")
        world = $2
}

# Definitions are over: ranks, and communicators by their members.
function end_definitions(    c, i, r, is_world, up, line) {
    if (world == "" || !sizes[world] || !ticks)
        fail(1, "no ranks of MPI are here: expected output of 'otf2-print -A -C'")
    print "ranks " sizes[world]
    for (r = 0; r < sizes[world]; r++) {
        rank[members[world, r]] = r
        process[group_of[members[world, r]]] = r
        corrected += members[world, r] in offset
        for (up = node_of[group_of[members[world, r]]]; up in node; up = above[up])
            if (class[up] == "node") {
                print "host " node[up] " " r
                break
            }
    }
    if (corrected == sizes[world])
        print "clocks one"
    for (c = 0; c < comms; c++) {
        is_world = !named_world && sizes[group[comm[c]]] == sizes[world]
        line = "comm c" comm[c]
        for (i = 0; i < sizes[group[comm[c]]]; i++) {
            r = rank[members[group[comm[c]], i]]
            line = line " " r
            is_world = is_world && r == i
            place[comm[c], r] = i
        }
        name[comm[c]] = is_world ? "" : " comm=c" comm[c]
        named_world = named_world || is_world
        for (r = 0; types[group[comm[c]]] == "COMM_SELF" && r < sizes[world]; r++) {
            print "comm c" comm[c] "." r " " r
            place[comm[c], r] = 0
        }
        if (!is_world && types[group[comm[c]]] != "COMM_SELF")
            print line
    }
}

# Ticks since the first one as seconds; numbers of more than 15 digits are taken apart.
function seconds(time,    ticks_now, whole, part) {
    ticks_now = (substr(time, 1, length(time) - 9) - substr(begin, 1, length(begin) - 9)) * 1e9 + \
        ("1" substr("000000000" time, length(time) + 1)) - ("1" substr("000000000" begin, length(begin) + 1))
    ticks_now = ticks_now > 0 ? ticks_now : 0
    whole = int(ticks_now / ticks)
    part = int((ticks_now - whole * ticks) * 1e9 / ticks + 0.5)
    return sprintf("%.0f.%09d", whole + (part >= 1e9), part % 1e9)
}

# Adds a line of the location's rank. Its time is that of the call of MPI that it is in, else its own.
function add(text) {
    lines++
    call[lines] = text
    rank_of[lines] = r
    from[lines] = depth[$2] ? entered[$2] : $3
    until[lines] = $3
    if (depth[$2])
        inside[$2] = inside[$2] " " lines
    return lines
}

# The communicator of the event, as the end of a line; "-", counted: it is not followed.
function on_comm(    c) {
    c = field("Communicator", 1)
    if (c in name)
        return types[group[c]] == "COMM_SELF" ? " comm=c" c "." r : name[c]
    missing = "missed " (c in between ? "between" : "other")
    return "-"
}

function peer(key,    c, at) {
    c = field("Communicator", 1)
    at = field(key, 1)
    if (!(c in name))
        return ""
    match($0, key ": ")
    if (!(at in rank) || !((c, rank[at]) in place))
        fail(RSTART + RLENGTH, "'" field(key) "': expected a rank of the communicator")
    return place[c, rank[at]]
}

# What is posted: a send is known; of what else the line is filled in when it ends (complete).
function post(text, otherwise,    request) {
    request = field("Request")
    abandon(r SUBSEP request)
    open[r, request] = add(text == "" ? "missed " otherwise : text " request=" request)
    is_send[r, request] = text != ""
}

# What never ends is missed; a send is taken for freed, so that its round can end.
function abandon(key,    part) {
    if (key in open && is_send[key]) {
        split(key, part, SUBSEP)
        freed[open[key]] = part[2]
    }
    delete open[key]
}

# Without a post it was a call that blocks: some writers record it so.
function complete(text, tail,    request) {
    request = field("Request")
    if ((r, request) in open && tail != "-") {
        call[open[r, request]] = text " request=" request tail
        add("wait " request)
    } else if ((r, request) in open)
        call[open[r, request]] = missing
    else
        add(tail == "-" ? missing : text tail)
    delete open[r, request]
}

# Both of a blocking send and receive in one call of MPI are one line.
function blocking(is_send_now, text, tail,    other) {
    other = is_send_now ? received[$2] : sent[$2]
    if (tail == "-")
        add(missing)
    else if (depth[$2] && other != "" && tails[other] == tail) {
        call[other] = "sendrecv " (is_send_now ? text : first_part[other]) " " (is_send_now ? first_part[other] : text)
        call[other] = call[other] " tag=" (is_send_now ? field("Tag") ":" tags[other] : tags[other] ":" field("Tag")) tail
        received[$2] = sent[$2] = ""
    } else {
        other = add((is_send_now ? "send " : "receive ") text " tag=" field("Tag") tail)
        tails[other] = tail
        tags[other] = field("Tag")
        first_part[other] = text
        if (is_send_now)
            sent[$2] = other
        else
            received[$2] = other
    }
}

FNR == 1 && NR > 1 { fail(1, "expected one archive, several files are given") }
{ sub(/\r$/, "") }

$1 == "SYSTEM_TREE_NODE" && match($0, /Name: "[^"]*"/) {
    node[$2] = substr($0, RSTART + 7, RLENGTH - 8)
    gsub(/[ \t]/, "_", node[$2])
    class[$2] = $0 ~ /Class: "node"/ ? "node" : ""
    above[$2] = field("Parent", 1)
}

{ gsub(/"[^"]*"/, "") }

$1 == "CLOCK_PROPERTIES" {
    ticks = field("Ticks per Seconds") + 0
    begin = field("Global Offset")
}
$1 == "LOCATION_GROUP" { node_of[$2] = field("Parent", 1) }
$1 == "LOCATION" { group_of[$2] = field("Group", 1) }
$1 == "REGION" && /Paradigm: MPI,/ { is_mpi["<" $2 ">"] = 1 }
$1 == "GROUP" && /Paradigm: MPI,/ { note_group() }
$1 == "COMM" {
    comm[comms++] = $2
    group[$2] = field("Group", 1)
}
$1 == "INTER_COMM" { between[$2] = 1 }
$1 == "CLOCK_OFFSET" { offset[$2] = 1 }

$2 == "Events" { in_events = 1 }
in_events && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ {
    if (!is_defined++)
        end_definitions()
    r = $2 in rank ? rank[$2] : ($2 in group_of) && (group_of[$2] in process) ? process[group_of[$2]] : ""
    if (r == "")
        next
    if (!(r in first))
        first[r] = $3
    last[r] = $3
}

r == "" || !in_events || $3 !~ /^[0-9]+$/ { next }

$1 == "ENTER" && ($NF in is_mpi) && ++depth[$2] == 1 {
    entered[$2] = $3
    inside[$2] = sent[$2] = received[$2] = ""
}
$1 == "LEAVE" && ($NF in is_mpi) && depth[$2] && --depth[$2] == 0 {
    n = split(inside[$2], list, " ")
    for (i = 1; i <= n; i++)
        until[list[i]] = $3
}
$1 == "MPI_SEND" { blocking(1, peer("Receiver") " " field("Length"), on_comm()) }
$1 == "MPI_RECV" { blocking(0, peer("Sender"), on_comm()) }
$1 == "MPI_ISEND" {
    tail = on_comm()
    if (tail == "-")
        add(missing)
    else
        post("send " peer("Receiver") " " field("Length") " tag=" field("Tag") tail)
}
$1 == "MPI_IRECV_REQUEST" { post("", "unfinished") }
$1 == "MPI_IRECV" { complete("receive " peer("Sender") " tag=" field("Tag"), on_comm()) }
$1 == "NON_BLOCKING_COLLECTIVE_REQUEST" { post("", "other") }
$1 == "MPI_ISEND_COMPLETE" {
    add("wait " field("Request"))
    delete open[r, field("Request")]
}
$1 == "MPI_REQUEST_CANCELLED" {
    if ((r, field("Request")) in open && !is_send[r, field("Request")])
        call[open[r, field("Request")]] = "missed cancelled"
    add("cancel " field("Request"))
    add("wait " field("Request") "=none")
    delete open[r, field("Request")]
}
$1 == "MPI_COLLECTIVE_BEGIN" { coming[$2] = $3 }
($1 == "MPI_COLLECTIVE_END" || $1 == "NON_BLOCKING_COLLECTIVE_COMPLETE") && tolower(field("Operation")) ~ kinds {
    complete(tolower(field("Operation")) " " field("Sent"), on_comm())
    if (!depth[$2] && $1 == "MPI_COLLECTIVE_END" && coming[$2] != "")
        from[lines] = coming[$2]
}
$1 ~ /^RMA_(PUT|GET|ATOMIC)$/ { add("missed one-sided") }

BEGIN { kinds = "^(barrier|bcast|(all)?gatherv?|scatterv?|alltoall[vw]?|(all)?reduce|reduce_scatter(_block)?|scan|exscan)$" }

END {
    if (!failed && !is_defined)
        fail(1, "no events are here: expected output of 'otf2-print -A -C'")
    for (key in open)
        abandon(key)
    for (i = 1; !failed && i <= lines; i++) {
        print rank_of[i] " " call[i] " time=" seconds(from[i]) ":" seconds(until[i])
        if (i in freed)
            print rank_of[i] " free " freed[i]
    }
    for (r = 0; !failed && r < sizes[world]; r++)
        if (r in first)
            print r " run time=" seconds(first[r]) ":" seconds(last[r])
}
