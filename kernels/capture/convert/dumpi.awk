# A trace of sst-dumpi -> calls (docs/capture-formats.md): for each rank, in their order, the text that
# `dumpi2ascii -a dumpi-RANK.bin` prints.
#     awk -f dumpi.awk RANK-0.txt RANK-1.txt... >FILE.calls
# Each file is read twice: first for sizes of datatypes and for the makers of communicators, then for
# the calls. Followed are communicators that are duplicated, split, made of ranks of a group of their
# parent, or Cartesian with the order of ranks kept, and parts of these. Errors name file:line:column;
# the exit status is then 2.

function fail(place, message) {
    message = file ":" place ": " message
    print message >"/dev/stderr"
    printf "\n%s\n", message # for nuce: other programs write to stderr too
    failed = 1
    exit 2
}

function refuse(key, what) {
    if (!(key in value))
        fail(begin ":1", name ": has no '" key "': expected " what)
    fail(at[key], "'" substr(value[key], 1, 40) "': expected " what " of " name)
}

function number(key,    text) {
    text = key in value ? value[key] : ""
    sub(/^\[/, "", text)
    if (text !~ /^-?[0-9]/)
        refuse(key, "a whole number")
    return text + 0
}

# Fills out[1..] and returns how many; a list that was not recorded has none.
function list(key, out) {
    split("", out)
    if (!(key in value) || value[key] ~ /^</)
        return 0
    if (value[key] !~ /^\[(-?[0-9]+(, -?[0-9]+)*)?\]/)
        refuse(key, "whole numbers in [ ]")
    return split(substr(value[key], 2, index(value[key], "]") - 2), out, ", ")
}

# A datatype has as many of the old one as all that its call names, multiplied; or of each of several.
function note_type(    size, old, many, i, n) {
    n = list("lengths" in value ? "lengths" : "subsizes" in value ? "subsizes" : "blocklengths", many)
    size = "subsizes" in value
    if ("oldtypes" in value && list("oldtypes", old) != n)
        return
    for (i = 1; i <= n; i++)
        if (!("oldtypes" in value))
            size = "subsizes" in value ? size * many[i] : size + many[i]
        else if ((r, old[i] + 0) in sizes)
            size += many[i] * sizes[r, old[i] + 0]
        else
            return
    if (n == 0 && name ~ /contiguous|vector|block/)
        size = number("count") * ("blocklength" in value ? number("blocklength") : 1)
    else if (name ~ /resized|dup/)
        size = 1
    if (!("oldtypes" in value)) {
        i = number("oldtype")
        if (!((r, i) in sizes) || name ~ /darray/)
            return
        size *= sizes[r, i]
    }
    sizes[r, number("newtype")] = size
}

# What makes a communicator is a child of what made its parent. Numbers are a rank's own, and used again.
# A group is a maker's number and places in what it made; "": all of them.
function note_group(    group, old, many, n, i) {
    group = number("group")
    if (name == "MPI_Comm_group") {
        n = number("comm")
        base[r, group] = (r, n) in maker ? maker[r, n] : "?"
        places[r, group] = ""
        return
    }
    n = list("ranks", many)
    split(places[r, group], old, " ")
    base[r, number("newgroup")] = name == "MPI_Group_incl" && n > 0 ? base[r, group] : "?"
    places[r, number("newgroup")] = ""
    for (i = 1; i <= n; i++)
        places[r, number("newgroup")] = places[r, number("newgroup")] (1 in old ? old[many[i] + 1] : many[i]) " "
}

function note_creation(    k, from, sides) {
    k = ++made[r]
    new[r, k] = number("newcomm")
    from = name ~ /merge/ ? 1 : number("oldcomm")
    if (!((r, from) in maker))
        return
    from = maker[r, from]
    maker[r, new[r, k]] = k
    kids[r, from]++
    kid[r, from, kids[r, from]] = k
    way[r, k] = name
    tint[r, k] = "color" in value ? number("color") : 0
    rank_key[r, k] = "key" in value ? number("key") : 0
    sides = name ~ /sub/ ? "remain_dims" : "dims"
    if (sides in value)
        grid[r, k] = substr(value[sides], 2)
    if ("group" in value && base[r, number("group")] == from)
        grid[r, k] = places[r, number("group")] == "" ? "all" : places[r, number("group")]
}

# The n-th communicator that was made of g: of each color, or part of a grid, one.
function settle(g, n,    i, j, k, m, c, color, of, sides, flags, dims, key, rest) {
    dims = split(shape[g], sides, /[], ]+/) - 1
    for (i = 0; i < size[g]; i++) {
        m = member[g, i]
        k = kid[m, index_of[g, m], n]
        color = tint[m, k]
        key = rank_key[m, k]
        c = split(grid[m, k], flags, /[], ]+/) - 1
        rest = i
        for (j = way[m, k] ~ /Cart_sub/ && c == dims ? dims : 0; j > 0; rest = int(rest / sides[j--]))
            color = color (flags[j] + 0 ? "" : " " rest % sides[j])
        if (way[m, k] ~ /Comm_create/)
            for (key = grid[m, k] == "all" ? i + 1 : c; grid[m, k] != "all" && key > 0 && flags[key] + 0 != i;)
                key--
        if (new[m, k] <= 1 || (way[m, k] ~ /Cart_sub/ && c != dims) || (way[m, k] ~ /Comm_create/ && !key))
            continue
        if (!(color in of)) {
            of[color] = ++comms
            shape[comms] = way[m, k] ~ /Cart_create/ ? grid[m, k] : way[m, k] ~ /dup/ ? shape[g] : ""
            for (j = 1; way[m, k] ~ /Cart_sub/ && j <= dims; j++)
                shape[comms] = shape[comms] (flags[j] + 0 ? sides[j] " " : "")
        }
        c = of[color]
        for (j = size[c]++; j > 0 && keys[c, j - 1] > key; j--) {
            member[c, j] = member[c, j - 1]
            keys[c, j] = keys[c, j - 1]
        }
        member[c, j] = m
        keys[c, j] = key
        index_of[c, m] = k
        result[m, k] = c
    }
}

# All members of a communicator make others of it in the same order; what some did not make (a trace
# that is cut) is not known. World is 0; behind it come those of each rank alone.
function resolve(    g, i, n, r, text) {
    print "ranks " ranks
    size[0] = comms = ranks
    for (r = 0; r < ranks; r++) {
        file = argument[r]
        if (!calls[r])
            fail("1:1", "no call of MPI is here: expected a trace of sst-dumpi")
        member[0, r] = member[r + 1, 0] = r
        size[r + 1] = 1
        index_of[0, r] = "world"
        index_of[r + 1, r] = "self"
        untimed = untimed || !timed[r]
        if (host[r] != "")
            print "host " host[r] " " r
    }
    for (g = 0; g <= comms; g++) {
        for (n = 1; ; n++) {
            for (i = 0; i < size[g] && ((member[g, i], index_of[g, member[g, i]], n) in kid);)
                i++
            if (i < size[g])
                break
            settle(g, n)
        }
        text = "comm c" g
        for (i = 0; g > 0 && i < size[g]; i++)
            text = text " " member[g, i]
        if (g > 0)
            print text
    }
}

function put(call, c) {
    print r " " call (c > 0 ? " comm=c" c : "") (untimed ? "" : " time=" entered ":" returned)
}

function id(n) {
    return n < 0 ? n + 65536 : n # 16 bits
}

function bytes(count, type,    n) {
    n = number(type)
    if (!((r, n) in sizes))
        fail(at[type], "datatype " n ": its size is unknown: expected output of dumpi2ascii -a")
    if (count < 0 || count * sizes[r, n] > 17592186044416)
        fail(begin ":1", name ": " count " elements of " sizes[r, n] " bytes: expected 0 to 16TiB")
    return sprintf("%.0f", count * sizes[r, n])
}

# A rank of the communicator, any, or "": MPI_PROC_NULL.
function peer(key, c) {
    if (!(key in value))
        return ""
    if (number(key) >= size[c])
        fail(at[key], "'" number(key) "': expected a rank of a communicator of " size[c])
    return number(key) >= 0 ? number(key) : number(key) == -1 && key == "source" ? "any" : ""
}

function tag(key) {
    key = key in value ? key : "tag"
    return number(key) == -1 ? "any" : number(key) < 0 ? number(key) + 2147483648 : number(key)
}

# SOURCE:TAG of a status, the i-th of a list from 0 on; none: of nobody; "": it was not recorded.
function status(key, i,    each, told) {
    if (!(key in value) || split(value[key], each, "{") < i + 2 || !match(each[i + 2], / source=-?[0-9]+, tag=-?[0-9]+/))
        return ""
    split(substr(each[i + 2], RSTART + 8, RLENGTH - 8), told, ", tag=")
    return told[1] < 0 ? "none" : told[1] (told[2] < 0 ? "" : ":" told[2])
}

# Messages of one call. The sender of a blocking receive from any source is unknown if its status was not recorded.
function take_messages(c,    to, from, out, into, n) {
    to = peer("dest", c)
    from = peer("source", c)
    if (to != "")
        out = to " " ("sendcount" in value ? bytes(number("sendcount"), "sendtype") : bytes(number("count"), "datatype"))
    into = from == "" ? "" : tag("recvtag")
    if (from != "" && !("request" in value) && (from == "any" || into == "any")) {
        from = status("status", 0)
        into = index(from, ":") ? substr(from, index(from, ":") + 1) : 0
        from = from ~ /^[0-9]/ ? from + 0 : ""
    }
    if (from != "" && to != "")
        return put("sendrecv " out " " from " tag=" tag("sendtag") ":" into, c)
    if (from == "" && to == "")
        return
    out = (to != "" ? "send " out " tag=" tag("sendtag") : "receive " from " tag=" into)
    if (name ~ /_init$/) {
        n = number("request")
        kept[r, n] = out
        kept_comm[r, n] = c
    } else
        put(out ("request" in value ? " request=" id(number("request")) : ""), c)
}

function start(n) {
    if ((r, n) in kept)
        put(kept[r, n] " request=" id(n), kept_comm[r, n])
}

function finish(n, told) {
    put("wait " id(n) (told == "" ? "" : "=" told))
}

function take_ends(    requests, chosen, n, i) {
    if ("flag" in value && !number("flag"))
        return
    n = list("requests", requests)
    if ("request" in value)
        finish(number("request"), status("status", 0))
    else if (name ~ /any$/ && number("index") >= 0 && number("index") < n)
        finish(requests[number("index") + 1], status("status", 0))
    else if (name ~ /all$/)
        for (i = 1; i <= n; i++)
            finish(requests[i], status("statuses", i - 1))
    else if (name ~ /some$/) {
        n = list("indices", chosen)
        for (i = 1; i <= n; i++)
            if (chosen[i] + 1 in requests)
                finish(requests[chosen[i] + 1], status("statuses", i - 1))
    }
}

# Every rank tells what it sends itself; of what has no messages of its own how much is moved.
function take_collective(c,    kind, root, many, n, i, sum, text) {
    kind = tolower(substr(name, 5))
    root = kind ~ /^(gather|scatter)/ ? number("root") : 0
    if (root < 0 || root >= size[c])
        fail(begin ":1", name ": root " root ": expected a rank of a communicator of " size[c])
    n = list(kind ~ /^reduce_/ ? "recvcounts" : "sendcounts", many)
    for (i = 1; i <= n; i++)
        sum = many[i] < 0 || sum < 0 ? -1 : sum + many[i]
    if (kind ~ /bcast|reduce|scan/)
        text = " " bytes(kind ~ /^reduce_/ ? sum : number("count"), "datatype")
    else if (kind ~ /^gather/)
        text = " " root ":" bytes(number("sendcount"), "sendtype")
    else if (kind !~ /barrier/ && (kind ~ /^all/ || member[c, root] == r)) {
        if ("sendcounts" in value && n != size[c])
            fail(begin ":1", name ": " n " sendcounts: expected " size[c] ", one per rank")
        for (i = 0; i < size[c]; i++)
            text = text " " i ":" bytes("sendcounts" in value ? many[i + 1] : number("sendcount"), "sendtype")
    }
    put(kind text, c)
}

function take_call(    c, requests, n, i) {
    n = "comm" in value ? number("comm") : ""
    c = (r, n) in is ? is[r, n] : ""
    if (name ~ creations) {
        n = number("newcomm")
        seen[r]++
        is[r, n] = (r, seen[r]) in result ? result[r, seen[r]] : ""
    } else if ("newtype" in value)
        note_type()
    else if (name ~ /^MPI_(Wait|Test)(any|all|some)?$/)
        take_ends()
    else if (name == "MPI_Startall") {
        n = list("requests", requests)
        for (i = 1; i <= n; i++)
            start(requests[i] + 0)
    } else if (name == "MPI_Start")
        start(number("request"))
    else if (name ~ /^MPI_(Cancel|Request_free)$/)
        put((name ~ /Cancel/ ? "cancel " : "free ") id(number("request")))
    else if (name ~ messages || name ~ collectives || name == "MPI_Iprobe") {
        number("comm")
        if (c == "")
            put("missed other")
        else if (name == "MPI_Iprobe")
            put(number("source") == -1 ? "probe" : number("source") < 0 ? "run" : "probe " number("source") \
                ("flag" in value && number("flag") ? " found" : " nothing") " tag=" tag("tag"), c)
        else if (name ~ messages)
            take_messages(c)
        else
            take_collective(c)
    } else if (tolower(name) ~ /^mpi_(r?(put|get|(get_)?accumulate)|fetch_and_op|compare_and_swap)(_c)?$/)
        put("missed one-sided")
    else if (tolower(name) ~ /^mpi_p(send|recv)_init(_c)?$/)
        put("missed partitioned")
    else if (tolower(name) ~ /^mpi_i?(neighbor_)?(all)?(gather|toall|reduce|bcast|scatter|scan|exscan|barrier|[bsr]?send|m?recv|sendrecv|reduce_scatter)[vw]?(_block|_replace)?(_init)?(_c)?$/)
        put("missed other")
}

# In the first pass: that the file is of this rank and of so many, and what the second needs to know.
function note_call() {
    calls[r]++
    timed[r] = timed[r] || returned + 0 > 0
    if (name == "MPI_Comm_rank" && number("comm") == 2 && number("rank") != r)
        fail(begin ":1", "rank " number("rank") ": is given as rank " r ": expected a file for each rank, in their order")
    if (name == "MPI_Comm_size" && number("comm") == 2 && number("size") != ranks)
        fail(begin ":1", "of " number("size") " ranks: expected as many files, " ranks " are given")
    if (name == "MPI_Type_size")
        sizes[r, number("datatype")] = number("size")
    else if (name ~ creations)
        note_creation()
    else if (name == "MPI_Comm_group" || "newgroup" in value)
        note_group()
}

function later(time, seconds) {
    return sprintf("%.0f", int(time) + seconds) substr(time, index(time, "."))
}

# Seconds that begin anew after 65535 go on; a little earlier than the last is a thread's.
function unwrap() {
    if (returned + ahead[r] < last[r] - 60)
        ahead[r] += 65536
    entered = later(entered, ahead[r] - (entered + 0 > returned + 32768 ? 65536 : 0))
    returned = later(returned, ahead[r] + 0)
    if (!(r in first))
        first[r] = entered
    last[r] = final[r] = returned
}

BEGIN {
    split("CHAR 1 SIGNED_CHAR 1 UNSIGNED_CHAR 1 BYTE 1 WCHAR 4 SHORT 2 UNSIGNED_SHORT 2 INT 4 UNSIGNED 4 LONG 8 " \
        "UNSIGNED_LONG 8 FLOAT 4 DOUBLE 8 LONG_DOUBLE 16 LONG_LONG_INT 8 UNSIGNED_LONG_LONG 8 LONG_LONG 8 PACKED 1 " \
        "LB 0 UB 0 FLOAT_INT 8 DOUBLE_INT 12 LONG_INT 12 SHORT_INT 6 2INT 8 LONG_DOUBLE_INT 20", word)
    for (i = 1; i in word; i += 2)
        named["(MPI_" word[i] ")"] = word[i + 1]
    creations = "^MPI_(Comm_(dup|split|create)|Cart_(create|sub)|Graph_create|Intercomm_merge)$"
    messages = "^MPI_([BSR]?[Ss]end|Recv|I[bsr]?send|Irecv|[BSR]?[Ss]end_init|Recv_init|Sendrecv|Sendrecv_replace)$"
    collectives = "^MPI_(Barrier|Bcast|(All)?[Rr]educe|Reduce_scatter|(Ex)?[Ss]can|(All)?[Gg]atherv?|Scatterv?|Alltoallv?)$"
    ranks = ARGC - 1
    for (i = 0; i < 2 * ranks; i++)
        argument[i] = ARGV[i % ranks + 1]
    for (i = 0; i < 2 * ranks; i++) {
        ARGV[2 * i + 1] = "r=" i % ranks
        ARGV[2 * i + 2] = argument[i]
        maker[i, 2] = "world"
        maker[i, 3] = "self"
    }
    ARGC = 4 * ranks + 1
}

FNR == 1 {
    if (name != "")
        fail(begin ":1", name ": the text ends before it returns")
    file = FILENAME
    if (r == 0 && ++pass == 2) {
        resolve()
        for (i = 0; i < ranks; i++) {
            is[i, 2] = 0
            is[i, 3] = i + 1
        }
    }
}

{ sub(/\r$/, "") }

/^MPI[^ ]* entering at walltime [0-9]/ {
    if (name != "")
        fail(begin ":1", name ": another call begins before it returns")
    name = $1
    begin = FNR
    entered = substr($5, 1, length($5) - 1)
    split("", value)
    next
}

name != "" && $1 == name && $2 == "returning" {
    returned = substr($5, 1, length($5) - 1)
    if (pass == 1)
        note_call()
    else {
        unwrap()
        take_call()
    }
    name = ""
}

name != "" && /=/ {
    key = substr($0, 1, index($0, "=") - 1)
    sub(/\[.*/, "", key)
    sub(/.* /, "", key)
    value[key] = substr($0, index($0, "=") + 1)
    at[key] = FNR ":" index($0, "=") + 1
    if (pass == 1 && (split(value[key], word, " ") == 2) && word[2] in named && !((r, word[1] + 0) in sizes))
        sizes[r, word[1] + 0] = named[word[2]]
}

pass == 1 && name == "" && /^hostname=/ {
    host[r] = substr($0, 10)
    gsub(/[ \t]/, "_", host[r])
}

pass == 1 && name == "" && /^Datatype [0-9]+ .* has size [0-9]+$/ && ($NF > 0 || $2 >= 28) { sizes[r, $2 + 0] = $NF }

END {
    if (!failed && name != "")
        fail(begin ":1", name ": the text ends before it returns")
    if (!failed && pass < 2)
        fail("1:1", "no call of MPI is here: expected a trace of sst-dumpi")
    for (r = 0; !failed && !untimed && r < ranks; r++)
        print r " run time=" first[r] ":" final[r]
}
