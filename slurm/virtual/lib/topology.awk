# Checks a topology, Slurm's topology.conf or lines `switch A B [MBIT]` and `node NAME SWITCH`, and
# writes the tree in one form:
#   root SWITCH | edge SWITCH PARENT BITS_PER_SECOND (0: unlimited) | node INDEX SWITCH
# Variables: file (its name in messages), nodes (of the cluster: n0, n1, ...).
function wrong(line, value, expected) {
    printf "%s:%d: '%s': expected %s\n", file, line, value, expected >"/dev/stderr"
    failed = 1
    exit 2
}

function add_switch(s) {
    if (s !~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/)
        wrong(NR, s, "a switch's name of letters, digits, - . and _")
    if (!(s in line_of)) {
        line_of[s] = NR
        names[++switches] = s
        parent_set[s] = s
    }
}

# The representative of the switches joined with s so far.
function top(s) {
    while (parent_set[s] != s)
        s = parent_set[s]
    return s
}

function mbit(text) {
    if (text !~ /^[0-9]+([.][0-9]+)?$/ || text + 0 <= 0 || text + 0 > 1e7)
        wrong(NR, text, "a speed in Mbit/s, more than 0 and at most 1e7")
    return sprintf("%.0f", text * 1e6)
}

function join(a, b, bits) {
    add_switch(a)
    add_switch(b)
    if (top(a) == top(b))
        wrong(NR, a " - " b, "a tree, and these two are joined already")
    parent_set[top(a)] = top(b)
    neighbours[a] = neighbours[a] " " b
    neighbours[b] = neighbours[b] " " a
    speed[a, b] = speed[b, a] = bits
}

function attach(node, s, i) {
    if (node !~ /^n[0-9]+$/ || length(node) > 7 || substr(node, 2) + 0 >= nodes)
        wrong(NR, node, "a node of the cluster, n0 to n" nodes - 1)
    i = substr(node, 2) + 0
    if (i in switch_of)
        wrong(NR, node, "each node at one switch, and it is at " switch_of[i] " already")
    add_switch(s)
    switch_of[i] = s
    has_nodes[s] = 1
}

# Slurm's lists: a,b[0-3,7],c. Fills list, returns its length.
function expand(text, list, count, part, open, prefix, suffix, ranges, n, k, ends, number) {
    count = 0
    while (text != "") {
        if (!match(text, /^[^],[]*(\[[0-9,-]+\])?[^],[]*/) || RLENGTH == 0)
            wrong(NR, text, "a list such as n[0-3,5],n7")
        part = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        if (text != "" && text !~ /^,./)
            wrong(NR, text, "a list such as n[0-3,5],n7")
        text = substr(text, 2)
        open = index(part, "[")
        if (!open) {
            list[++count] = part
            continue
        }
        prefix = substr(part, 1, open - 1)
        suffix = substr(part, index(part, "]") + 1)
        n = split(substr(part, open + 1, index(part, "]") - open - 1), ranges, ",")
        for (k = 1; k <= n; k++) {
            if (ranges[k] !~ /^[0-9]+(-[0-9]+)?$/ || length(ranges[k]) > 11)
                wrong(NR, part, "ranges such as [0-3,5]")
            if (split(ranges[k], ends, "-") == 1)
                ends[2] = ends[1]
            if (ends[2] - ends[1] > 9999 || ends[2] + 0 < ends[1] + 0)
                wrong(NR, ranges[k], "a range that ascends")
            for (number = ends[1] + 0; number <= ends[2] + 0; number++)
                list[++count] = prefix number suffix
        }
    }
    return count
}

function slurm_line(i, equals, word, value, s, below, nodes_here, bits, list, n, k) {
    s = below = nodes_here = ""
    bits = 0
    for (i = 1; i <= NF; i++) {
        equals = index($i, "=")
        word = tolower(substr($i, 1, equals - 1))
        value = substr($i, equals + 1)
        if (word == "switchname")
            s = value
        else if (word == "nodes")
            nodes_here = value
        else if (word == "switches")
            below = value
        else if (word == "linkspeed")
            bits = mbit(value)
        else
            wrong(NR, $i, "SwitchName=, Nodes=, Switches= or LinkSpeed=")
    }
    if (s == "" || (below == "" && nodes_here == ""))
        wrong(NR, $0, "SwitchName=NAME with Nodes= or Switches=")
    add_switch(s)
    if (bits)
        uplink[s] = bits
    n = expand(nodes_here, list)
    for (k = 1; k <= n; k++)
        attach(list[k], s)
    n = expand(below, list)
    for (k = 1; k <= n; k++) {
        if (list[k] in above)
            wrong(NR, list[k], "a tree, and it is below " above[list[k]] " already")
        above[list[k]] = s
        join(list[k], s, 0)
    }
}

# Walks the tree from s; fills depth and up. Returns the greatest depth.
function walk(s, queue, first, last, next_ones, n, k) {
    split("", depth)
    queue[first = last = 1] = s
    depth[s] = 0
    up[s] = ""
    while (first <= last) {
        s = queue[first++]
        n = split(neighbours[s], next_ones, " ")
        for (k = 1; k <= n; k++) {
            if (next_ones[k] in depth)
                continue
            depth[next_ones[k]] = depth[s] + 1
            up[next_ones[k]] = s
            queue[++last] = next_ones[k]
        }
    }
    return depth[s]
}

# Slurm's file defines the top switch; links alone do not: then it is the one in the middle.
function choose_root(s, k, d, best) {
    for (k = 1; k <= switches; k++) {
        s = names[k]
        if (from_slurm) {
            if (!(s in above))
                return s
            continue
        }
        d = walk(s)
        if (k == 1 || d < best) {
            best = d
            root = s
        }
    }
    return root
}

{
    sub(/\r$/, "")
    sub(/#.*/, "")
    sub(/[ \t]+$/, "")
    sub(/^[ \t]+/, "")
}
NF == 0 { next }
tolower($1) ~ /^switchname=/ {
    from_slurm = 1
    slurm_line()
    next
}
$1 == "switch" && NF >= 2 && NF <= 4 {
    if (NF == 2)
        add_switch($2)
    else
        join($2, $3, NF == 4 ? mbit($4) : 0)
    next
}
$1 == "node" && NF == 3 {
    attach($2, $3)
    next
}
{ wrong(NR, $0, "'SwitchName=...', 'switch A B [MBIT]' or 'node NAME SWITCH'") }
END {
    if (failed)
        exit 2
    if (!switches)
        wrong(NR, "", "switches and nodes")
    for (k = 2; k <= switches; k++)
        if (top(names[k]) != top(names[1]))
            wrong(line_of[names[k]], names[k], "one tree, and it is not joined with " names[1])
    for (i = 0; i < nodes; i++)
        if (!(i in switch_of))
            wrong(NR, "n" i, "every node of the cluster at a switch, and it is at none")
    root = choose_root()
    walk(root)
    print "root", root
    for (k = 1; k <= switches; k++) {
        s = names[k]
        if (s != root)
            print "edge", s, up[s], (s in uplink) ? uplink[s] : speed[s, up[s]]
    }
    for (i = 0; i < nodes; i++)
        print "node", i, switch_of[i]
}
