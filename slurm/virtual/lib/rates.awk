# Writes tc's lines for interface `dev`, which carries the data that node `me` sends (way=dst) or
# receives (way=src). Each other node has a class with the pair's rate, all of them below one with
# the port's rate. A class is guaranteed its fair part of the port and may borrow up to its own
# rate. If it were guaranteed its own rate, the port's limit would not hold.
#
# TCP's acknowledgements go first. On a wire with data in both directions they would otherwise queue
# behind the data. The senders, which have little in flight, would wait for them (Zhang, Shenker and
# Clark, 1991): a cluster's network has no queues that long.
#
# With a buffer, packets out of a port of a switch wait in one queue of that many bytes, from all senders.
# Packets that do not fit are dropped, as in an Ethernet switch with shallow buffers. Acknowledgements wait
# there too.
# Variables: me (rank), way, dev, delays=yes (netem provides the startup times), buffer (bytes; 0: no packet
# is dropped).
function address(i) {
    return sprintf("10.77.%d.%d", int(i / 250), i % 250 + 1)
}

function class(id, parent, rate, ceil, prio) {
    printf "class add dev %s parent %s classid %s htb rate %.0fbit ceil %.0fbit prio %d quantum 60000\n",
        dev, parent, id, rate, ceil, prio
}

function match_other(id, other) {
    printf "filter add dev %s parent 1: protocol ip prio 2 u32 match ip %s %s/32 flowid %s\n",
        dev, way, address(other), id
}

BEGIN { acknowledgement = "match ip protocol 6 0xff match u8 0x05 0x0f at 0 match u16 0x0000 0xffc0 at 2" }
$1 == "ranks" { ranks = $2 }
$1 == "port" && $2 == me { port = way == "dst" ? $3 : $4 }
$1 == "pair" && $2 == me && way == "dst" {
    rate[$3] = $4
    delay[$3] = $5
    pairs++
}
END {
    if (!pairs && !port)
        exit
    limited = port + 0
    port = port ? port : 1e12
    fair = port / (ranks + 1)
    printf "qdisc add dev %s root handle 1: htb default 2\n", dev
    if (buffer && limited && (way == "src" || me < 0)) {
        class("1:2", "1:", port, port, 0)
        printf "qdisc add dev %s parent 1:2 bfifo limit %d\n", dev, buffer
        exit
    }
    class("1:1", "1:", port, port, 0)
    class("1:2", "1:1", fair, port, 1)
    class("1:3", "1:1", fair, port, 0)
    printf "filter add dev %s parent 1: protocol ip prio 1 u32 %s flowid 1:3\n", dev, acknowledgement
    for (k = 0; k < ranks; k++) {
        if (k == me || !(limited || k in rate))
            continue
        id = sprintf("1:%x", k + 16)
        ceil = k in rate && rate[k] + 0 < port + 0 ? rate[k] : port
        class(id, "1:1", fair < ceil ? fair : ceil, ceil, 1)
        match_other(id, k)
        if (delays == "yes" && delay[k] > 0)
            printf "qdisc add dev %s parent %s netem delay %dus limit 10000\n", dev, id, delay[k]
    }
}
