# Writes tc's lines for what node `me` sends: a class for each destination at the pair's rate, all
# of them below one at the port's. A class is sure of its fair part of the port and may borrow up to
# its own rate: were it sure of that, the port's limit would not hold.
# Variables: me (rank), delays=yes (netem is there for the startup times).
function address(i) {
    return sprintf("10.77.%d.%d", int(i / 250), i % 250 + 1)
}
$1 == "port" && $2 == me { out = $3 }
$1 == "pair" && $2 == me {
    to[++pairs] = $3
    rate[pairs] = $4
    delay[pairs] = $5
}
END {
    if (!pairs && !out)
        exit
    unlimited = 1e12
    port = out ? out : unlimited
    print "qdisc add dev eth0 root handle 1: htb default 2"
    printf "class add dev eth0 parent 1: classid 1:1 htb rate %.0fbit quantum 60000\n", port
    fair = port / (pairs + 1)
    printf "class add dev eth0 parent 1:1 classid 1:2 htb rate %.0fbit ceil %.0fbit quantum 60000\n", \
        fair, port
    for (k = 1; k <= pairs; k++) {
        class = sprintf("1:%x", to[k] + 16)
        ceil = rate[k] + 0 < port + 0 ? rate[k] : port
        printf "class add dev eth0 parent 1:1 classid %s htb rate %.0fbit ceil %.0fbit quantum 60000\n", \
            class, (fair < ceil ? fair : ceil), ceil
        printf "filter add dev eth0 parent 1: protocol ip prio 1 u32 match ip dst %s/32 flowid %s\n", \
            address(to[k]), class
        if (delays == "yes" && delay[k] > 0)
            printf "qdisc add dev eth0 parent %s netem delay %dus limit 10000\n", class, delay[k]
    }
}
