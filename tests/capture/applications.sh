#!/bin/sh
# Applications of others, as Debian packages them: nearly all of their bytes are in exact rounds, both ends of every
# message were seen, omitted calls are reported, and the capture is small. Deterministic applications give the same
# capture again. Called with the folder of the programs and this folder; skipped where none of them is installed.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
found=0

# application NAME PROGRAM RANKS LEAST WORDS...: captured twice, plainly and with waits that yield; at least LEAST
# percent of its bytes are in exact rounds. $left_out: calls that may be reported as not captured; $is_same not empty:
# both captures have the same patterns, messages and calls.
application() {
    name=$1
    program=$2
    ranks=$3
    least=$4
    shift 4
    command -v "$program" >/dev/null && command -v "$launcher" >/dev/null || return 0
    found=1
    for option in "" --yield; do
        # shellcheck disable=SC2086 # an option or nothing
        expect 0 "$programs/nuce" capture $option -o "$name.capture" -- "$launcher" -n "$ranks" "$program" "$@"
        cp stderr told
        says told "$name.capture: $ranks ranks"
        ! grep "not captured\|one end alone\|left no data\|cut short\|ended without\|by a signal" told |
            grep -qv "${left_out:-^$}" || fail "$name: $(cat told)"
        expect 0 "$programs/nuce" export "$name.capture" --format json
        python3 -c 'import json, sys
total = {}
patterns = []
for line in sys.stdin:
    pattern = json.loads(line)
    sent = sum(size for _, _, size in pattern["messages"]) * pattern["calls"]
    total[pattern["quality"]] = total.get(pattern["quality"], 0) + sent
    patterns.append((pattern["pattern"], pattern["kind"], pattern["ranks"], pattern["calls"], pattern["messages"]))
with open(sys.argv[2], "w") as file:
    print(*sorted(patterns), sep="\n", file=file)
share = 100 * total.get("exact", 0) / sum(total.values())
if share < float(sys.argv[1]):
    sys.exit(f"{share:.4g} % of the bytes are in exact rounds, expected {sys.argv[1]}")' \
            "$least" "patterns$option" <stdout || fail "$name $option"
        [ "$(wc -c <"$name.capture")" -le 32768 ] || fail "$name: a capture of $(wc -c <"$name.capture") bytes"
    done
    [ -z "${is_same:-}" ] || cmp patterns patterns--yield || fail "$name: two captures differ"
}

launcher=mpiexec.mpich
application netpipe NPmpich2 2 99.9 -u 4096 -n 20
# LU of ScaLAPACK: one small matrix on 2 times 2 ranks; the sizes that are shipped take minutes.
cat >LU.dat <<'END'
'SCALAPACK, LU factorization input file'
'MPI Machine'
'LU.out'                output file name (if any)
6                       device out
1                       number of problem sizes
57                      values of M
50                      values of N
1                       number of NB's
3                       values of NB
1                       number of NRHS's
3                       values of NRHS
1                       number of NBRHS's
1                       values of NBRHS
1                       number of process grids
2                       values of P
2                       values of Q
1.0                     threshold
F                       (T or F) Test Cond. Est. and Iter. Ref. Routines
END
for program in /usr/lib/*/scalapack/mpich-tests/xdlu; do
    application lu "$program" 4 99
done
launcher=mpiexec.openmpi
input=/usr/share/doc/hpcc/examples/_hpccinf.txt
if [ -f "$input" ]; then
    sed 's/^1000  *Ns/100 Ns/' "$input" >hpccinf.txt
    left_out="not captured: [0-9]* cancelled messages" # RandomAccess takes its last receives back
    application hpcc hpcc 4 99
    left_out=
fi
# A Lennard-Jones liquid of 4 000 atoms, 20 steps: halos whose sizes differ from step to step.
cat >lj.in <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 20
END
is_same=1
application lammps lmp 8 99 -in lj.in
is_same=
# Bands of a square lattice of rods: transposes of FFTs. How many iterations it takes differs from run to run.
cat >rods.ctl <<'END'
(set! num-bands 2)
(set! k-points (list (vector3 0 0 0) (vector3 0.5 0 0)))
(set! geometry (list (make cylinder (center 0 0 0) (radius 0.2) (height infinity)
                           (material (make dielectric (epsilon 12))))))
(set! geometry-lattice (make lattice (size 1 1 no-size)))
(set! resolution 16)
(run-te)
END
application mpb mpb-mpi 4 99 rods.ctl
# Silicon, 10 points of reciprocal space, with a pseudopotential of quantum-espresso-data.
if [ -f /usr/share/espresso/pseudo/Si.pz-vbc.UPF ]; then
    cat >si.in <<'END'
&control
 calculation='scf', prefix='si', pseudo_dir='/usr/share/espresso/pseudo', outdir='out'
/
&system
 ibrav=2, celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=18.0
/
&electrons
 conv_thr=1e-6
/
ATOMIC_SPECIES
 Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 2 2 2 1 1 1
END
    application qe pw.x 4 99 -in si.in
fi
# The ordering of a grid of 64 times 64 vertices: it receives from any source in part.
python3 - >grid.grf <<'PYTHON'
side = 64
rows = [[i * side + j for i, j in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)) if 0 <= i < side and 0 <= j < side]
        for a in range(side) for b in range(side)]
print(f"0\n{side * side} {sum(map(len, rows))}\n0 000")
for row in rows:
    print(len(row), *row)
PYTHON
application scotch dgord 6 90 grid.grf grid.ord
[ "$found" = 1 ] || {
    echo "skipped: none of NetPIPE, ScaLAPACK's tests, HPCC, LAMMPS, MPB, Quantum ESPRESSO and PT-Scotch is installed" >&2
    exit 77
}
