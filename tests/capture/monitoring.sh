#!/bin/sh
# Bytes and messages of each pair against an independent count: that of Open MPI's component pml_monitoring in the
# same run, below the application and below nuce capture.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
compile
ompi_info 2>/dev/null | grep -q 'MCA pml: monitoring' || {
    echo "skipped: Open MPI has no component pml_monitoring" >&2
    exit 77
}

# Lines of the monitor: E SOURCE DESTINATION BYTES bytes MESSAGES msgs sent SIZES, E being the application's own point
# to point; messages inside collective calls are separate (I). Persistent
# sends it does not count.
styles=waitall,any_source,derived,sendrecv,mprobe,isendrecv
mkdir counts
expect 0 "$programs/nuce" capture --output run.capture -- "$mpiexec" --mca pml_monitoring_enable 2 \
    --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$work/monitor" -n 4 ./styles "$styles" counts
expect 0 "$programs/nuce" export run.capture --format json
mv stdout run.json
python3 - <<'PYTHON' || fail "captured is not what the monitor counts"
import collections, glob, json, sys
captured, counted = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(lambda: [0, 0])
def add(pairs, source, destination, size, messages):
    pairs[source, destination][0] += size
    pairs[source, destination][1] += messages
with open("run.json") as lines:
    for p in map(json.loads, lines):
        for source, destination, size in p["messages"]:
            add(captured, source, destination, size * p["calls"], p["calls"])
files = glob.glob("monitor.*.prof")
for path in files:
    with open(path) as lines:
        for words in map(str.split, lines):
            if words and words[0] == "E":
                add(counted, int(words[1]), int(words[2]), int(words[3]), int(words[5]))
if len(files) != 4 or len(counted) < 4 or captured != counted:
    sys.exit(f"{len(files)} files; captured {dict(captured)}, counted {dict(counted)}")
PYTHON
