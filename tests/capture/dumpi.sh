#!/bin/sh
# Traces of sst-dumpi, imported: the messages are those that the generator counted, the files of libdumpi make the same
# capture as the text of dumpi2ascii, byte for byte, in every version, and bad ones are refused where they are wrong.
# The generator writes what the sources of sst-dumpi say; libdumpi itself is not here.
# shellcheck source=tests/capture/importing.sh
. "$2/importing.sh"

# generated KIND: the trace in KIND/, its text under the names of the binary files in KIND/text.
generated() {
    mkdir -p "$1/text"
    python3 "$here/make_dumpi.py" 4 "$1" "$1"
    for file in "$1"/dumpi-*.txt; do
        cp "$file" "$1/text/$(basename "$file" .txt).bin"
    done
}

# counted NAME FOLDER QUALITIES: the messages of NAME.json are those of FOLDER.
counted() {
    got=$(python3 "$here/compare.py" "$1.json" "$2") || fail "$1: the messages are not the same"
    [ "$got" = "$3" ] || fail "of $1 are $got"
}

# Binary, by the files or by their .meta, and text; seconds that begin anew after 65535; what old versions wrote otherwise.
for kind in all long 0.6.1 0.6.2 0.6.7 0.6.8; do
    generated $kind
    imported $kind $kind/dumpi-*.bin
    counted $kind $kind "exact 11 merged 0 epoch 0"
    grep -q '"arrival_ns":\[0,250000,500000,750000\]' $kind.json || fail "$kind: who came how late is not there"
    imported text $kind/text/dumpi-*.bin
    imported meta $kind/dumpi.meta
    cmp $kind.capture text.capture || fail "$kind: the text is of another capture"
    cmp $kind.capture meta.capture || fail "$kind: the .meta is of another capture"
done
for ranks in 2 3 7; do
    mkdir "of-$ranks"
    python3 "$here/make_dumpi.py" "$ranks" "of-$ranks"
    imported ranks "of-$ranks/dumpi.meta"
    counted ranks "of-$ranks" "exact 11 merged 0 epoch 0"
done
# A rank's file may be of either form.
cp -r all mixed
cp mixed/text/dumpi-0002.bin mixed/dumpi-0002.bin
imported mixed mixed/dumpi.meta
cmp all.capture mixed.capture || fail "a trace of both forms is of another capture"
# Without times nobody knows who came how late, and without statuses where messages that any could send went.
generated plain
imported plain plain/dumpi.meta
imported text plain/text/dumpi-*.bin
cmp plain.capture text.capture || fail "without times and statuses: the text is of another capture"
grep -q '"arrival_ns":\[null' plain.json || fail "times that were not recorded were compared"
says plain.json '"quality":"epoch"'
# What dumpi2ascii prints without -a; the binary file has all.
generated bare
refuse "datatype 28: its size is not told: expected what dumpi2ascii -a prints" bare/dumpi-*.txt
sed -i '/^Datatype 28/d; s/28 (user-defined-datatype)/14 (MPI_DOUBLE)/' bare/dumpi-*.txt
imported bare bare/dumpi-*.txt
grep -q '"arrival_ns":\[null' bare.json || fail "clocks of hosts that nobody knows were compared"

# What came with MPI 3 and 4, and one-sided calls: counted, and said.
call() { # NAME
    echo "$1 entering at walltime 9000.1, cputime 0.1 seconds in thread 0."
    echo "$1 returning at walltime 9000.2, cputime 0.1 seconds in thread 0."
}
mkdir later
cp all/dumpi-*.txt later
for name in MPI_Iallreduce MPI_Neighbor_alltoallv MPI_Ineighbor_allgather MPI_Bcast_init MPI_Alltoallw MPI_Send_c \
    MPI_Reduce_scatter_block MPI_Isendrecv MPI_Imrecv MPI_Comm_get_name MPI_Ibogus MPI_Rget MPI_Fetch_and_op MPI_Psend_init; do
    call "$name"
done >>later/dumpi-0001.txt
expect 0 "$nuce" capture import --output later.capture later/dumpi-*.txt
says stderr "not captured: 9 calls on communicators that nobody saw being made, or of no known kind"
says stderr "not captured: 2 one-sided calls"
says stderr "not captured: 1 partitioned messages"

# What is wrong in a text.
refuse "rank 1: is given as rank 0" all/dumpi-0001.txt all/dumpi-0000.txt all/dumpi-0002.txt all/dumpi-0003.txt
refuse "of 4 ranks: expected as many files, 2 are given" all/dumpi-0000.txt all/dumpi-0001.txt
damage() { # SED-COMMAND MESSAGE
    sed "$1" all/dumpi-0002.txt >damaged.txt
    refuse "$2" all/dumpi-0000.txt all/dumpi-0001.txt damaged.txt all/dumpi-0003.txt
}
damage "/MPI_Finalize returning/,\$d" "MPI_Finalize: the text ends before it returns"
damage 's/int count=52/int count=many/' "'many': expected a whole number of MPI_Isend"
damage 's/sendcounts\[4\]=\[3, /sendcounts[4]=[/' "MPI_Alltoallv: 3 sendcounts: expected 4, one a rank"
damage 's/int dest=3/int dest=9/' "'9': expected a rank of a communicator of 4"
damage '/^int count/d' "damaged.txt:34:1: MPI_Isend: has no 'count': expected a whole number"

# What is wrong in a binary file: FROM becomes TO, in hexadecimal, once.
harm() { # FROM TO MESSAGE
    python3 - "$1" "$2" <<'END'
import sys
data, old, new = open("all/dumpi-0002.bin", "rb").read(), *map(bytes.fromhex, sys.argv[1:])
assert old in data and len(old) == len(new), (old, new)
open("harmed.bin", "wb").write(data.replace(old, new, 1))
END
    refuse "harmed.bin: byte $3" all/dumpi-0000.bin all/dumpi-0001.bin harmed.bin all/dumpi-0003.bin
}
harm 007c4f 017c4f "16: label 380: no call has it"
harm 007c4f 00804f "16: label 128: no call has it"
harm 007c4f 01254f "16: the calls end here: expected them to go on to byte 1668"
harm 007c4f 007c5f "18: a record is said to have 0x5f, which nobody knows of"
harm 0007a120 7f07a120 "33: a time of 2131206432 ns past the second"
harm 000000052e2f617070 7fffffff2e2f617070 "49: 2147483647 values are said to follow, and 1615 bytes are left"
harm 000000052e2f617070 fffffff72e2f617070 "49: -9 values are said to follow"
harm 00000003000000070002 00000009000000070002 "295: '9': expected a rank of a communicator of 4"
harm 007d4f 00034f "1666: 4 bytes are expected here, of which 2 are left"
harm 00000000f007fee7 00000000f007fee6 "1716: expected a footer"
harm 0000000000000684 0000000000010684 "4230: the header is said to be at byte 67204: expected at most 4198, where the index is"
harm 000000000000000800000000000006b4 000000000000000000000000000006b4 "4198: the index does not say where calls begin"
for bytes in 8 100 1500 4200 4261; do
    head -c $bytes all/dumpi-0002.bin >cut.bin
    refuse "cut.bin: byte $bytes: the file does not end in the index of a trace: it is cut short" \
        all/dumpi-0000.bin all/dumpi-0001.bin cut.bin all/dumpi-0003.bin
done
printf 'x' | cat - all/dumpi-0002.bin >shifted.bin
refuse "no call of MPI is here" all/dumpi-0000.bin all/dumpi-0001.bin shifted.bin all/dumpi-0003.bin
refuse "shifted.bin: of no format that is known" shifted.bin
refuse "of 4 ranks: expected as many files, 3 are given" all/dumpi-0000.bin all/dumpi-0001.bin all/dumpi-0002.bin
refuse "rank 2: is given as rank 1" all/dumpi-0000.bin all/dumpi-0002.bin all/dumpi-0001.bin all/dumpi-0003.bin
refuse "ranks: '5': expected a file for each, 4 are given" all/dumpi.meta --ranks 5

# A .meta, and files that it names.
edit() { # SED-COMMAND MESSAGE
    sed "$1" all/dumpi.meta >all/edited.meta
    refuse "all/edited.meta:$2" all/edited.meta
}
edit 's/^numprocs=4/numprocs=5/' "5:12: all/dumpi-0004.bin is not there: expected the files of 5 ranks beside this one"
edit 's/^numprocs=4/numprocs=many/' "2:10: 'many' is not a whole number; expected how many ranks there are"
edit 's/^numprocs=4/numprocs=0/' "2:10: 0 is out of range"
edit '/^numprocs/d' "1:1: there is no line numprocs="
edit 's/^fileprefix=.*/fileprefix=other/' "5:12: all/other-0000.bin is not there"
edit 's/^fileprefix=.*/fileprefix=/' "1:1: there is no line fileprefix="
refuse "all/dumpi.meta" all/dumpi.meta all/dumpi-0000.bin
cp -r all nested
cp nested/dumpi.meta nested/dumpi-0000.bin
refuse "nested/dumpi-0000.bin" nested/dumpi.meta
