# Writes Slurm's topology.conf for the tree that topology.awk wrote. Slurm's switches have either
# nodes or switches below them. The nodes of a switch with both get a leaf of their own, and
# switches without any node below them are omitted.
function mark(s) {
    for (; s != "" && !(s in used); s = up[s])
        used[s] = 1
}
$1 == "root" { order[++switches] = $2 }
$1 == "edge" {
    order[++switches] = $2
    up[$2] = $3
    bits[$2] = $4
}
$1 == "node" { nodes[$3] = nodes[$3] (nodes[$3] == "" ? "" : ",") "n" $2 }
END {
    for (k = 1; k <= switches; k++)
        if (order[k] in nodes)
            mark(order[k])
    for (k = 1; k <= switches; k++)
        if (order[k] in used && order[k] in up)
            below[up[order[k]]] = below[up[order[k]]] (below[up[order[k]]] == "" ? "" : ",") order[k]
    for (k = 1; k <= switches; k++) {
        s = order[k]
        if (!(s in used))
            continue
        speed = bits[s] > 0 ? sprintf(" LinkSpeed=%d", bits[s] / 1e6 + 0.5) : ""
        if (s in below && s in nodes) {
            printf "SwitchName=%s-nodes Nodes=%s\n", s, nodes[s]
            printf "SwitchName=%s Switches=%s,%s-nodes%s\n", s, below[s], s, speed
        } else if (s in below) {
            printf "SwitchName=%s Switches=%s%s\n", s, below[s], speed
        } else {
            printf "SwitchName=%s Nodes=%s%s\n", s, nodes[s], speed
        }
    }
}
