# Code for remake.py: races of exchanges whose times are made up. Arguments: processors that others keep busy, then
# 'CONTENDER[ ITEM-BYTES]=FACTOR'..., its time to that of alltoallv, default 1; 'set' is alltoallv under a variable.
import hashlib

jobs = []
factors = dict(argument.split("=") for argument in arguments[1:])  # noqa: F821


def change(r):
    if r["job"] not in jobs:
        jobs.append(r["job"])
    params = r["params"]
    schedule, size = params["schedule"], params["item-bytes"]
    name = schedule + (f" in-flight {params['in-flight']}" if "in-flight" in params else "")
    if schedule == "alltoallv" and any(params[key] for key in params if key.isupper()):
        name = "set"
    problem = {k: v for k, v in params.items() if k not in ("schedule", "radix", "in-flight")}
    r["race"] = hashlib.sha256(json.dumps([r["ranks"], problem], sort_keys=True).encode()).hexdigest()  # noqa: F821
    r["order_seed"], r["criterion"] = 1 + jobs.index(r["job"]), "communication"
    noise = 1 + 0.005 * (jobs.index(r["job"]) % 3)
    factor = float(factors.get(name, factors.get(f"{name} {size}", 1))) * (1 if name == "alltoallv" else noise)
    times = [1e-3 * (1 + i % 3) * factor for i in range(9)]
    r["samples"] = {"step": times, "communication": times}
    r["communication_s"] = sorted(times)[4]
    r["place"] = [0] * 9
    if schedule == "alltoallv":
        r["duplicate"] = {part: [noise * t for t in times] for part in ("step", "communication")}
        r["duplicate"]["place"] = [1] * 9
    r["metrics"] = {"messages": 2, "bytes": 2 * size, "pattern_fingerprint": "%016x" % size, "schedule_s": 1e-3,
                    "others_cpus": float(arguments[0])}  # noqa: F821
