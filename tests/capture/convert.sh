#!/bin/sh
# Import of traces printed by dumpi2ascii and otf2-print: the messages are those that the applications counted, calls
# that cannot be followed are reported, and errors are refused with their place.
# shellcheck source=tests/capture/importing.sh
. "$2/importing.sh"

# counted NAME FOLDER QUALITIES: the messages of NAME.json are those of FOLDER.
counted() {
    got=$(python3 "$here/compare.py" "$1.json" "$2") || fail "$1: the messages are not the same"
    [ "$got" = "$3" ] || fail "of $1 are $got"
}

# A trace of sst-dumpi; seconds that start over after 65535, and the other forms of old versions.
for kind in all long old rare; do
    mkdir $kind
    python3 "$here/make_dumpi.py" 4 $kind $kind
    imported $kind $kind/dumpi-*.txt
    counted $kind $kind "exact $([ $kind = rare ] && echo 16 || echo 11) merged 0 epoch 0"
    grep -q '"arrival_ns":\[0,250000,500000,750000\]' $kind.json || fail "$kind: who came how late is not there"
done
sed 's/$/\r/' all/dumpi-0002.txt >crlf.txt
imported crlf all/dumpi-0000.txt all/dumpi-0001.txt crlf.txt all/dumpi-0003.txt
cmp all.capture crlf.capture || fail "line ends make another capture"
for ranks in 2 3 7; do
    mkdir "of-$ranks"
    python3 "$here/make_dumpi.py" "$ranks" "of-$ranks"
    imported ranks "of-$ranks"/dumpi-*.txt
    counted ranks "of-$ranks" "exact 11 merged 0 epoch 0"
done
# Without times, the delays of ranks are unknown. Without statuses, so are the senders of messages from any source.
mkdir plain bare
python3 "$here/make_dumpi.py" 4 plain plain
imported plain plain/dumpi-*.txt
grep -q '"arrival_ns":\[null' plain.json || fail "times that were not recorded were compared"
says plain.json '"quality":"epoch"'
# Output of dumpi2ascii without -a.
python3 "$here/make_dumpi.py" 4 bare bare
refuse "datatype 28: its size is unknown: expected output of dumpi2ascii -a" bare/dumpi-*.txt
sed -i 's/28 (user-defined-datatype)/14 (MPI_DOUBLE)/' bare/dumpi-*.txt
imported bare bare/dumpi-*.txt
grep -q '"arrival_ns":\[null' bare.json || fail "clocks of hosts that nobody knows were compared"

# Calls of MPI 3 and 4 and one-sided calls are counted and reported.
mkdir later
cp all/dumpi-*.txt later
for name in MPI_Iallreduce MPI_Neighbor_alltoallv MPI_Ineighbor_allgather MPI_Bcast_init MPI_Alltoallw MPI_Send_c \
    MPI_Reduce_scatter_block MPI_Isendrecv MPI_Imrecv MPI_Comm_get_name MPI_Ibogus MPI_Rget MPI_Fetch_and_op MPI_Psend_init; do
    echo "$name entering at walltime 9000.1, cputime 0.1 seconds in thread 0."
    echo "$name returning at walltime 9000.2, cputime 0.1 seconds in thread 0."
done >>later/dumpi-0001.txt
expect 0 "$nuce" capture import --output later.capture later/dumpi-*.txt
says stderr "not captured: 9 calls on communicators of unknown origin, or of unknown kind"
says stderr "not captured: 2 one-sided calls"
says stderr "not captured: 1 requests of partitioned messages"

# A probe for one rank that finds nothing: what is sent before its message comes depends on time.
traced() { # NAME LINES...
    printf '%s entering at walltime 1.0, cputime 0.1 seconds in thread 0.\n' "$1"
    printf '%s\n' "$@" | sed 1d
    printf '%s returning at walltime 1.1, cputime 0.1 seconds in thread 0.\n' "$1"
}
world='MPI_Comm comm=2 (MPI_COMM_WORLD)'
for rank in 0 1; do
    other=$((1 - rank))
    [ $rank = 1 ] || traced MPI_Iprobe 'int source=1' 'int tag=5' "$world" 'int flag=0' 'MPI_Status status=<IGNORED>'
    traced MPI_Send 'int count=8' 'MPI_Datatype datatype=2 (MPI_CHAR)' "int dest=$other" 'int tag=5' "$world"
    traced MPI_Recv 'int count=8' 'MPI_Datatype datatype=2 (MPI_CHAR)' "int source=$other" 'int tag=5' "$world" \
        'MPI_Status status=<IGNORED>'
    echo 'Datatype 2 (MPI_CHAR) has size 1'
done >polled
for flag in 0 1; do
    sed "s/flag=0/flag=$flag/; /^Datatype/q" polled >polled-0.txt
    sed '1,/^Datatype/d' polled >polled-1.txt
    imported polled polled-0.txt polled-1.txt
    says polled.json "\"quality\":\"$([ $flag = 0 ] && echo epoch || echo exact)\""
done

refuse "rank 1: is given as rank 0" all/dumpi-0001.txt all/dumpi-0000.txt all/dumpi-0002.txt all/dumpi-0003.txt
refuse "of 4 ranks: expected as many files, 2 are given" all/dumpi-0000.txt all/dumpi-0001.txt
refuse "ranks: '5': expected 4, as in the files" all/dumpi-*.txt --ranks 5
: >empty.txt
refuse "empty.txt:1:1: no call of MPI is here" all/dumpi-0000.txt all/dumpi-0001.txt empty.txt all/dumpi-0003.txt
damage() { # SED-COMMAND MESSAGE
    sed "$1" all/dumpi-0002.txt >damaged.txt
    refuse "damaged.txt:$2" all/dumpi-0000.txt all/dumpi-0001.txt damaged.txt all/dumpi-0003.txt
}
damage "/MPI_Finalize returning/,\$d" "191:1: MPI_Finalize: the text ends before it returns"
damage 's/int count=52/int count=many/' "36:11: 'many': expected a whole number of MPI_Isend"
damage 's/sendcounts\[4\]=\[3, /sendcounts[4]=[/' "166:1: MPI_Alltoallv: 3 sendcounts: expected 4, one per rank"
damage 's/sendcounts\[4\]=\[3, /sendcounts[4]=[x, /' "168:19: '[x, 6, 9, 12]': expected whole numbers in [ ] of MPI_Alltoallv"
damage 's/int dest=3/int dest=9/' "38:10: '9': expected a rank of a communicator of 4"
damage '/^int count/d' "34:1: MPI_Isend: has no 'count': expected a whole number"
damage '/MPI_Isend returning/d' "35:1: MPI_Isend: another call begins before it returns"

# An archive of OTF2, on two hosts whose clocks were compared. The application: rank r sends 8 * (50 + r) bytes
# to the next five times, 72 to the other of its half twice, and a second thread of rank 0 sends 11 to rank 1.
mkdir otf2
for rank in 0 1 2 3; do
    for _ in 1 2 3 4 5; do
        echo "$rank $(((rank + 1) % 4)) $((8 * (50 + rank)))"
    done
    echo "$rank $(((rank + 2) % 4)) 72"
    echo "$rank $(((rank + 2) % 4)) 72"
done >otf2/counts.0
echo "0 1 11" >>otf2/counts.0
imported otf2 "$here/otf2-print.txt"
expect 0 "$nuce" show otf2.capture
for text in "1 calls on intercommunicators" "1 one-sided calls" "1 cancelled messages" "1 receives that never ended"; do
    says stdout "not captured: $text"
done
! grep -q unmatched stdout || fail "a message has one end"
counted otf2 otf2 "exact 10 merged 0 epoch 0"
python3 - <<'END' || fail "otf2: not what was written"
import json
patterns = [json.loads(line) for line in open("otf2.json")]
sums = {p["kind"]: p for p in patterns if not p["messages"]}
assert set(sums) == {"alltoallv", "allreduce"}, sums
assert sums["alltoallv"]["quality"] == "merged" and sums["allreduce"]["quality"] == "exact"
assert sums["alltoallv"]["moved_bytes"] == 4006
assert sums["allreduce"]["moved_bytes"] == 64 and sums["allreduce"]["calls"] == 1
ring = max(patterns, key=lambda p: p["calls"])
assert ring["calls"] == 5 and ring["duration_ns"]["min"] == ring["duration_ns"]["max"] == 800000, ring
assert ring["share"] == 0.7843137254901961, ring
# Means have two digits.
assert all(abs(ns - 250000 * rank) <= 0.05 * ns for rank, ns in enumerate(ring["arrival_ns"])), ring
END
# Without the comparison of clocks, the delays of ranks are unknown; ranks of one host share a clock.
grep -v ^CLOCK_OFFSET "$here/otf2-print.txt" >hosts.txt
imported hosts hosts.txt
grep -q '"arrival_ns":\[null' hosts.json || fail "clocks that nobody compared were compared"
sed 's/beta/alpha/' hosts.txt >host.txt
imported host host.txt
grep -q '"arrival_ns":\[0,250000' host.json || fail "on one host nobody knows who came how late"
edit() { # SED-COMMAND MESSAGE
    sed "$1" "$here/otf2-print.txt" >edited.txt
    refuse "$2" edited.txt
}
edit '/^MPI_SEND/s/Receiver: 1 ("" <102>)/Receiver: 99 (INVALID)/' "'99': expected a rank of the communicator"
edit '/^GROUP/d' "no ranks of MPI are here: expected output of 'otf2-print -A -C'"
edit "/^=== Events/,\$d" "no events are here: expected output of 'otf2-print -A -C'"
refuse "ranks: '3': expected 4, as in the files" "$here/otf2-print.txt" --ranks 3
