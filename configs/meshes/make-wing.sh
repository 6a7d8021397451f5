#!/bin/sh
# Makes the meshes that nuce ships, wing-2800 and wing-53961, from wing.geo. Needs gmsh: 4.8.4 made
# the files in the tree, other versions give other node counts. Users need none of this.
#
# Usage: make-wing.sh [FOLDER]     (default: the folder of this script)
#
# gmsh's file is made small: only tetrahedra, nodes numbered along Morton's curve (their numbers
# then lie close together, which packs well), coordinates to three decimals, corners and elements
# in ascending order, .msh 2.2 without tags, gzip'd without a time stamp.
set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# $1: gmsh's file. Prints `key old x y z` for each node of a tetrahedron, to be sorted by the key:
# the place on Morton's curve in a grid of 2^10 cells an axis.
node_keys() {
    awk '
        $1 == "$Nodes" || $1 == "$Elements" { section = $1; getline; next }
        /^\$/ { section = ""; next }
        section == "$Nodes" {
            at[$1] = $0
            for (d = 2; d <= 4; d++) {
                if (!(d in low) || $d < low[d]) low[d] = $d
                if (!(d in high) || $d > high[d]) high[d] = $d
            }
        }
        section == "$Elements" && $2 == 4 { for (k = NF - 3; k <= NF; k++) used[$k] = 1 }
        END {
            for (d = 2; d <= 4; d++)
                if (high[d] - low[d] > width) width = high[d] - low[d]
            for (tag in used) {
                split(at[tag], word)
                for (d = 2; d <= 4; d++)
                    cell[d] = int((word[d] - low[d]) / width * 1023)
                key = 0
                for (bit = 512; bit >= 1; bit /= 2)
                    for (d = 2; d <= 4; d++)
                        key = 2 * key + int(cell[d] / bit) % 2
                printf "%.0f %d %.3f %.3f %.3f\n", key, tag, word[2], word[3], word[4]
            }
        }' "$1"
}

# $1: gmsh's file, $2: its sorted nodes. Prints each tetrahedron's new numbers, ascending.
tetrahedra() {
    awk '
        FNR == NR { number[$2] = FNR; next }
        $1 == "$Elements" { inside = 1; getline; next }
        inside && $2 == 4 {
            for (k = 0; k < 4; k++) {
                value = number[$(NF - k)]
                for (i = k; i > 0 && corner[i - 1] > value; i--) corner[i] = corner[i - 1]
                corner[i] = value
            }
            print corner[0], corner[1], corner[2], corner[3]
        }' "$2" "$1" | sort -n -k1,1 -k2,2 -k3,3 -k4,4
}

# $1: name, $2: size at the wing, $3: size far away, $4: from this distance on (chords).
make() {
    name=$1
    gmsh -3 -nt 1 -v 1 -format msh22 -o "$scratch/raw.msh" "$here/wing.geo" \
        -setnumber near "$2" -setnumber far "$3" -setnumber reach "$4"
    node_keys "$scratch/raw.msh" | sort -n -k1,1 -k2,2 >"$scratch/nodes"
    tetrahedra "$scratch/raw.msh" "$scratch/nodes" >"$scratch/tetrahedra"
    # shellcheck disable=SC2016  # the dollars are gmsh's
    {
        printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n'
        awk 'END { print NR }' "$scratch/nodes"
        awk '{ print NR, $3, $4, $5 }' "$scratch/nodes"
        printf '$EndNodes\n$Elements\n'
        awk 'END { print NR }' "$scratch/tetrahedra"
        awk '{ print NR, 4, 0, $1, $2, $3, $4 }' "$scratch/tetrahedra"
        printf '$EndElements\n'
    } | gzip -9n >"$folder/$name.msh.gz"
    printf '%s: %s points, %s tetrahedra, %s bytes\n' "$name" \
        "$(awk 'END { print NR }' "$scratch/nodes")" \
        "$(awk 'END { print NR }' "$scratch/tetrahedra")" \
        "$(wc -c <"$folder/$name.msh.gz")"
}

# The sizes are tuned for the numbers of points.
make wing-2800 0.14588 0.7294 3
make wing-53961 0.0221 0.3535 2
