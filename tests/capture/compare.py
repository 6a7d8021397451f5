"""compare.py CAPTURE.json FOLDER: whether the messages of a capture are those that the ranks counted
themselves (FOLDER/counts.*: lines `SOURCE DESTINATION BYTES`), as often, and prints how many calls
with messages there were of each quality: `exact N merged N epoch N`."""
import collections
import glob
import json
import sys

captured, counted, calls = collections.Counter(), collections.Counter(), collections.Counter()
with open(sys.argv[1]) as lines:
    for line in lines:
        pattern = json.loads(line)
        keys = {"pattern", "kind", "quality", "communicator", "ranks", "calls", "duration_ns",
                "skew_ns", "messages"}
        if not keys <= set(pattern):
            sys.exit(f"keys are missing: {keys - set(pattern)}")
        if sum(c["count"] for c in [pattern["skew_ns"]]) > pattern["calls"]:
            sys.exit("more skews than calls")
        for source, destination, size in pattern["messages"]:
            captured[source, destination, size] += pattern["calls"]
            if source not in pattern["ranks"] or destination not in pattern["ranks"]:
                sys.exit(f"{source} or {destination} is not in the communicator")
        if pattern["messages"]:
            calls[pattern["quality"]] += pattern["calls"]
for path in glob.glob(sys.argv[2] + "/counts.*"):
    with open(path) as lines:
        for line in lines:
            counted[tuple(map(int, line.split()))] += 1
if not counted:
    sys.exit("nothing was counted")
if captured != counted:
    sys.exit(f"not sent: {captured - counted}, not captured: {counted - captured}")
print(" ".join(f"{quality} {calls[quality]}" for quality in ("exact", "merged", "epoch")))
