#!/usr/bin/env python3
"""Every documented command works: documented.py PROGRAMS SOURCES MPIEXEC [dear | cluster].

Commands are the lines of `sh` blocks and the code spans of README.md and docs, and the examples of each --help. TABLE
says what is done with each; one that no row knows is a failure. They run in a folder in which everything that a reader
would have has a stand-in: the sweeps of the pages with few samples, campaigns, captures and profiles of their names,
and programs of others. The gate runs what is cheap and plans the rest; `dear` and `cluster` run those classes, the
latter on a virtual cluster that shares this folder. Options are held against --help in each class."""
import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

programs, sources = (os.path.abspath(p) for p in sys.argv[1:3])
mpiexec, mode = sys.argv[3], (sys.argv[4:] or ["gate"])[0]
here = os.path.join(sources, "tests/cli")
world = tempfile.TemporaryDirectory(dir=os.getcwd() if mode == "cluster" else None)
os.chdir(world.name)
problems, counts, cache = [], collections.Counter(), {}


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=800, **options)


def put(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def run(where, command):
    """Verdicts end with 1 or 3, too: how fast stand-ins are is nobody's fault."""
    done = call("sh", "-c", command)
    verdict = re.match(r"(\S+ srun .*)?nuce (compare|race|doctor)|#!", command) and done.stdout
    if done.returncode not in ((0, 1, 3) if verdict else (0,)):
        problems.append(f"{where}: {command}: exit status {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def help_of(*program):
    if program not in cache:
        cache[program] = call(*program, "--help").stdout
    return cache[program]


def listed(what):
    return [json.loads(row) for row in run(what, f"nuce list {what} --format json").splitlines()]


def is_whole(text):
    """Whether lines are a command of the shell, and not only its begin."""
    until = re.search(r"<<'?(\w+)", text)
    return not text.endswith("\\\n") and (not until or f"\n{until[1]}\n" in text) and \
        call("sh", "-n", "-c", text).returncode == 0


def commands_of(page, text):
    """(line, command) of a page or a help; commands that cli.tutorial runs are not looked at."""
    if page.endswith("--help"):
        examples = text.partition("\nExamples:\n")[2]
        for found in re.finditer(r"^  (\S(?:.*\\\n)*.*)", examples, re.M):
            yield text.count("\n") - examples.count("\n", found.start()), found[1]
        return
    for block in re.finditer(r"^```sh[^\n]*\n(.*?)^```", text, re.M | re.S):
        line, begun = text.count("\n", 0, block.start()) + 2, ""
        for part in [block[1]] if block[1].startswith("#!") else block[1].splitlines(keepends=True):
            begun += part
            if part.startswith("#!") or is_whole(begun):
                if page == "docs/tutorial.md":
                    counts["run by cli.tutorial"] += 1
                else:
                    yield line, begun
                line, begun = line + begun.count("\n"), ""
    prose = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    for span in re.finditer(r"`((?:nuce|mpiexec|srun |sbatch |cmake --|spack |slurm/virtual/cluster |\./)[^`]*)`", prose):
        yield prose.count("\n", 0, span.start()) + 1, " ".join(span[1].split())


def check_options(where, command):
    """Options of the calls of our programs are those of their --help."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars="();<>|&\n")
        lexer.whitespace_split, lexer.whitespace = True, " \t"
        words = list(lexer) + [";"]
    except ValueError:
        return
    part, ours = [], None
    for word, following in zip(words, words[1:] + ["-"]):
        if word == "--" or set(word) <= set("();<>|&\n"):
            part, ours = [], None
            continue
        name = os.path.basename(word)
        if name in real and not ours and (not part or re.match(r"(mpiexec.*|srun|env|exec|if|!|do)$", part[0])):
            several = name in ("nuce", "nuce-model", "nuce-calibrate") and re.match(r"[a-z]", following)
            ours = [name, following] if several else [name]
            if not help_of(*ours):
                problems.append(f"{where}: '{' '.join(ours)}' is no command")
        elif ours and re.match(r"--?[A-Za-z]", word):
            option = word.split("=")[0]
            if not re.search(r"(?:^|[\s,])" + option + r"(?=[=,\s\[]|$)", help_of(*ours), re.M):
                problems.append(f"{where}: {' '.join(ours)} has no option {option}")
        part.append(word)


# Stand-ins for a reader's own programs, and for those of others. Kernels are real only under a real launcher.
real = {p: os.path.join(programs, p) for p in os.listdir(programs) if p.startswith("nuce") and "-f" not in p}
put("launcher", f'#!/bin/sh\nuntil [ -x "$1" ]; do shift; done\nexec {here}/fake-mpiexec -n 1 "$@"\n', 0o755)
put("path/mpiexec", f'#!/bin/sh\nexec {mpiexec} "$@"\n', 0o755)
for library in "mpich", "openmpi":
    put(f"path/mpiexec.{library}", f'#!/bin/sh\ncase $3 in nuce-*) exec {mpiexec} "$@" ;; esac\nshift 2\nexec "$@"\n', 0o755)
    put(f"mpi/{library}/share/nuce/mpi.conf", f"name {library}\nlauncher {world.name}/launcher\n")
put("bin/nuce", "", 0o755)
call("cp", real["nuce"], "bin/nuce")
for name, program in real.items():
    if name in ("nuce-exchange", "nuce-redistribute", "nuce-stencil", "nuce-calibrate"):
        put(f"path/{name}", f'#!/bin/sh\nexec {program} "$@" --min-samples 1 --max-samples 1 --warmup 0\n', 0o755)
        for folder in "bin", "mpi/mpich/bin", "mpi/openmpi/bin":
            put(f"{folder}/{name}", f'#!/bin/sh\n[ -z "${{PMI_RANK-}}" ] || exec {program} "$@"\nexec {programs}/nuce-fake "$@"\n', 0o755)
    elif name != "nuce":
        os.symlink(program, f"bin/{name}")
        os.symlink(program, f"path/{name}")
put("path/nuce", f'#!/bin/sh\ncase "$*" in run*--modelled*) ;; run*|resume*) set -- "$@" --mpiexec {world.name}/launcher ;; esac\n'
    f'exec {world.name}/bin/nuce "$@"\n', 0o755)
os.symlink(os.path.join(programs, "../libexec"), "libexec")
os.makedirs("share/nuce")
for name in os.listdir(os.path.join(programs, "../share/nuce")):
    os.symlink(os.path.join(programs, "../share/nuce", name) if name != "mpi.conf" else "../../mpi/mpich/share/nuce/mpi.conf",
               f"share/nuce/{name}")
os.makedirs("build/release")
for name, target in {"configs": sources, "slurm": sources, "build/release/bin": programs}.items():
    os.symlink(os.path.join(target, name) if target == sources else target, name)
for name in ("sbatch", "squeue", "scancel", "scontrol"):
    os.symlink(os.path.join(here, "fake-slurm"), f"path/{name}")
put("path/dumpi2ascii", '#!/bin/sh\ncat "$2"\n', 0o755)
put("path/otf2-print", f"#!/bin/sh\ncat {sources}/tests/capture/otf2-print.txt\n", 0o755)
for name in "app", "app.old", "app.new", "app.mpich", "app.openmpi", "old", "new", "bench.reference", "bench.delivered", \
        "osu_latency.mpich", "osu_latency.openmpi":
    put(name, f'#!/bin/sh\n[ -z "${{PMI_RANK-}}" ] || exec {real["nuce-exchange"]} --pattern uniform --degree 2 --schedule ac '
        '--min-samples 1 --max-samples 1\nprintf "# OSU MPI Latency Test v5.9\\n# Size Latency (us)\\n1 1.5\\n2 1.5\\n"\n'
        '[ ${0#./osu} != $0 ] || printf "residual ok\\ntime per step: 1.25\\nrate: 5\\nGFLOPS: 5\\n"\n', 0o755)
put("before.sh", "#!/bin/sh\n", 0o755)
put("after.sh", "#!/bin/sh\n", 0o755)
put("my.graph", "1024 1024\n" + "".join(f"{(n + 1023) % 1024 + 1} {(n + 1) % 1024 + 1}\n" for n in range(1024)))
for kind in "sql", "gp":
    put(f"plots/my-figure.{kind}", open(os.path.join(sources, f"plots/quick.{kind}")).read())
for name in "old.txt", "new.txt", "old.1.json", "old.2.json", "new.1.json", "new.2.json":
    put(name, "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 1.5\n2 1.5\n")
put("app.tuning", "nuce-tuning 1\nmachine: x86_64 mine\nmpi: MPICH 4.0.2\nalltoallv ranks=8 bytes=1..64 degree=1..7 schedule=tuna\n")
put("my.com", "8\n0 1 100\n1 0 100\n")
put("messages.txt", "0 1 100\n1 0 100\n")
put("matrix.csv", "0,5\n5,0\n")
put("tokens.csv", "0,5\n5,0\n")
os.environ.update(PATH=f"{world.name}/path:{os.environ['PATH']}", HOME=world.name, FAKE_SLURM=f"{world.name}/queue",
                  OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
os.mkdir("queue")

# The sweeps of the pages are planned as they stand. Those that run have few samples.
pages = call("git", "-C", sources, "ls-files", "README.md", "docs/*.md").stdout.split()
texts = {page: open(os.path.join(sources, page)).read() for page in pages}
own = {name: f"name: {name}\nworkload: exchange\nsweep: {{schedule: [ac, lp, rs-n], pattern: uniform, degree: 1}}\n"
       for name in ("quick", "first-exchange")}
run("preparation", "nuce capture --trace --output traced.capture -- mpiexec -n 4 ./app && cp traced.capture app.capture && cp traced.capture nuce.capture")
for page, text in texts.items():
    for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S) + re.findall(r"<<'YAML'\n(.*?)^YAML", text, re.M | re.S):
        if block.startswith("# my-cluster.yaml"):
            put("my-cluster.yaml", block)
        elif name := re.search(r"^name: ([\w-]+)", block, re.M):
            put("whole.yaml", block)
            if mode == "gate":
                run(f"{page}: {name[1]}", "nuce plan whole.yaml")
                counts["sweeps of pages planned"] += 1
            own.setdefault(name[1], block)
few = "measure: {launches: 2, warmup: 0, min-samples: 2, max-samples: 2, time-limit: 10min}\n"
for name, text in own.items():
    text = re.sub(r"^(measure|ranks|exclude|platform|precision|slurm): .*\n", "", text, flags=re.M)
    text = re.sub(r"item-bytes: (\{[^}]*\}|\[[^]]*\])", "item-bytes: 64", text)
    text = text.replace("instances: [5, 2]", "instances: [1, 1]").replace("instances: 5", "instances: 1")
    if name == "accept":
        text = text.replace("mpi: [mpich, openmpi], ", "") if mode == "cluster" else \
            text.replace("sweep: {", 'sweep: {environment: {UCX_TLS: [tcp, "self,sm"]}, ')
    put(f"{name}.yaml", text + (few if "program" not in text else "measure: {launches: 2}\n") +
        ("" if "capture" in text or "program" in text else "ranks: 3\n" if name == "mine" else "ranks: 8\n"))
put("more.yaml", open("mine.yaml").read().replace("[ac, ", "[ac, ac-blocking, "))
if mode == "cluster":  # real programs and Slurm; `up` brings it up anew, with this build
    os.remove("slurm")
    shutil.copytree(os.path.join(sources, "slurm"), "slurm")
    cluster, build = os.path.join(sources, "slurm/virtual/cluster"), os.path.dirname(programs)
    put("slurm/virtual/cluster", f'#!/bin/sh\n[ "$1" != up ] || {{ {cluster} down; set -- "$@" --build {build} --share {world.name}; }}\n'
        f'exec {cluster} "$@"\n', 0o755)
    text = open("slurm/profiles/virtual.yaml").read().replace("../../build/virtual/bin", programs)
    text = text.replace("set: {", f"set: {{LD_PRELOAD: {build}/tests/polite/libnuce_test_polite.so, ")
    put("slurm/profiles/virtual.yaml", text)
    put("my-cluster.yaml", text.replace("../virtual", "slurm/virtual"))
    os.environ["PATH"] = f"{programs}:{os.environ['PATH']}"
    run("preparation", "nuce submit quick.yaml --profile my-cluster.yaml && nuce status --watch && nuce collect")
else:
    for name in ["accept"] * 6 + ["quick", "twice"] * 2 + ["exchange-wing"] * 3 + ["first-exchange", "strong", "mine", "mine"]:
        run("preparation", f"{'bin/' if name == 'mine' else ''}nuce run {name}.yaml")
    run("preparation", "nuce race --launches 2 --warmup 0 -- ./old -- ./new")
    run("preparation", "ssh-keygen -q -t ed25519 -N '' -f KEY; echo you@example.org $(cat KEY.pub) >allowed_signers")
    run("preparation", f"python3 {sources}/tests/capture/make_dumpi.py 4 . >counts; "
        "for file in dumpi-*.txt; do mv $file ${file%.txt}.bin; done")
    run("preparation", "FAKE_LIBRARY=other nuce run mine.yaml && nuce collect --database nightly.db")


def ids(sql):
    return run("ids", f'nuce query "{sql}" --format csv').split()[1:]


ours = "|".join([*own, "more"])
plots = {row["name"]: row["sweep"] for row in listed("figures") if row["sweep"]}
sweeps = {row["name"] for row in listed("sweeps")}
point, environment = ids("SELECT point FROM run LIMIT 1"), ids("SELECT id FROM environment LIMIT 2")

# Values for a reader's own names, and settings that make a command short.
STAND_INS = [
    (r"\bSWEEP(\.yaml)?\b", "mine.yaml"), (r"\bCAMPAIGN\b", "mine.1"), (r"\bNAME\b", "first-exchange"), (r"\bFILE\b", "app.capture"),
    (r"\bKIND\b", "irregular"), (r"compare A B", "compare mine.1 mine.2"), (r">app.yaml", ">advised.yaml"),
    (r"advise app\.1", "advise mine.1"), (r"-n 8 nuce-exchange --capture", "-n 4 nuce-exchange --capture"), (r"env diff (3f2a 91bc|ID ID)", f"env diff {' '.join(environment)}"),
    (r"explain (ID|3f2a)", f"explain {''.join(point)}"), (r"/shared/nuce-nightly", "."),
    (r"in 1 2 3;", "in 1;"), (r"explain (mine|quick\.1) ", "explain mine.1 "), (r"CONTENDER$", "lp"),
    (r"run mine.yaml --into", "run more.yaml --into"), (r"--samples 50", "--samples 2"),
    (r"(/etc/slurm/)?topology.conf", "slurm/virtual/two-leaves.conf"), (r"/tmp/my.db", "my.db"),
    (r"(--network) app.capture >", r"\1 configs/networks/ports-8.network >"),
    (r"(my|ports)\.network", "configs/networks/ports-8.network"), (r"seq 150", "seq 1"),
    (r"^nuce submit mine.yaml$", "nuce submit mine.yaml --profile my-cluster.yaml"), (r"submit clock.*", r"\g<0> && nuce status --watch"),
    (r"^nuce cancel$", "nuce cancel mine.1"),
    (r"show app.capture --trace", "show traced.capture --trace"), (r"nuce race -", "nuce race --launches 2 --warmup 0 -"), (r"nuce race .*", lambda race: re.sub(r"-n \d+", "-n 2", race[0])), (r"sbatch jobs/", "sbatch campaigns/mine.1/jobs/"),
]
if mode == "cluster":
    STAND_INS.append((r"^(srun(?= -n)|sbatch) ", r"slurm/virtual/cluster \1 "))
# The first row that matches the beginning of a command decides how it is tested:
# text       no command
# named      a command without arguments, or one that another test runs: it exists, and has these options
# install    installs or builds: not of nuce
# cluster    runs in the mode `cluster`; the gate plans submissions, and looks at the options of others
# dear       runs in the mode `dear`
# bench      a case that nuce-bench lists
# plan       planned, for it takes long
# plot       has rows, or says which command gives it rows and what that costs
# run        runs
TABLE = [
    ("text", r"nuce[._]|nuce::|nuce capture 6$"),
    ("named", r"(mpiexec|nuce(-[a-z]+)?|nuce (apply|apply -- srun .*|run|submit|plan|capture|capture import|capture --|compare|bundle|show|race)|"
              r"nuce-calibrate [a-z]+|nuce-model (network|mapping|platform uneven)|nuce-job 1|nuce-model points .*|nuce capture merge .*|"
              r"nuce-exchange --item-bytes 64|nuce plan --format json|nuce figure timeline --run ID|nuce submit --(into|dry-run)|nuce advise( \S+ --write app.tuning| --check( .*)?)?|nuce table( advice-rules)?|srun (--mpi.*|--pty bash|--overlap|\./app))$"),
    ("install", r"\./(quickstart|test)\.sh|\./cmake/install-dependencies\.sh$|git clone |cmake |spack |export PATH=|mpicc\.|\. \./app\.tuning\.env$"),
    ("cluster", rf"slurm/virtual/cluster |sbatch |srun -n [12] |nuce submit ({ours})\.yaml(?!.*--dry-run)|"
                r"nuce (cancel|status .*--watch|resume \S+ --)"),
    ("dear", r"(nuce apply .*)?mpiexec -n ([4-9]|\d\d) |mpiexec -n \d nuce-(calibrate|redistribute|stencil) |for i in|nuce-bench .*--limit|"
             r"nuce (figure all( --output pictures)?|report( quick\.1 .*| race\.1)?|collect --database my\.db)$"),
    ("bench", r"nuce-bench [a-z0-9][a-z0-9-]+$"),
    ("plan", rf"nuce run .*--platform|nuce run ({'|'.join(sweeps)})\b|nuce submit "),
    ("run", rf"nuce (show|table|figure) ({ours}|race|timeline)\b"),
    ("plot", rf"nuce (table|figure|show) ({'|'.join(plots)})(?![\w-])"),
    ("run", rf"nuce run ({ours})\.yaml|nuce (list|plan|resume|status|explain|collect|show|query|compare|env|figure|table|report|"
            r"export|bundle|verify|import|capture|doctor|race|advise)\b|nuce-model |nuce-bench --list|mpiexec -n [1-3] nuce-|"
            r"for |#!|ssh-keygen |otf2-print |cat >"),
]
planned, modelled = set(), {}


def head_of(plot, directive):
    found = re.search(rf"^-- {directive}: (.*)", open(os.path.join(sources, f"plots/{plot}.sql")).read(), re.M)
    return found[1] if found else ""


def model(sweep):
    """A database with the sweep modelled, with few draws of few sizes."""
    if sweep not in modelled:
        text = open(os.path.join(sources, f"configs/{sweep}.yaml")).read()
        for pattern, less in ((r"instances: \d+", "instances: 1"), (r"samples: \d+", "samples: 2"),
                              (r"\{from: 9, to: 63, step: 1\}", "[9, 63]"), (r"imbalance: \[1, 3, 7\]", "imbalance: [3]"),
                              (r"\[1B, 16B, .*\]\}", "[256B]}"), (r"(?m)^ranks: \[16, 64\]", "ranks: 16"),
                              (r"(?m)^ranks: \[(\d+, \d+),.*", r"ranks: [\1]")):
            text = re.sub(pattern, less, text)
        put(f"{sweep}.yaml", text.replace("../", ""))
        run(sweep, f"nuce run {sweep}.yaml --modelled --database {sweep}.db")
        modelled[sweep] = f"{sweep}.db"
    return modelled[sweep]


def plot(where, name):
    """The plot has rows of its sweep modelled. If that is not modelled, an empty database names it and its cost."""
    sweep, options = plots[name], head_of(name, "options")
    if options == "--modelled":
        run(where, f"nuce table {name} --database {model(sweep)}")
    elif (sweep, options) not in planned:
        planned.add((sweep, options))
        done = call("nuce", "table", name)
        command = re.escape(" ".join(["nuce run", sweep, options]).strip())
        if done.returncode != 0 and not re.search(rf"run '{command}' \([^)]*(sampling|by the model)", done.stderr):
            problems.append(f"{where}: {name}: {done.stderr.strip()[-400:]}")


def treat(where, command):
    check_options(where, command)
    kind = next((kind for kind, pattern in TABLE if re.match(pattern, command)), None)
    counts[kind] += 1
    if kind is None:
        problems.append(f"{where}: {command}: no row of TABLE knows it")
    if kind == mode:
        run(where, command)
    if mode != "gate" or command in planned:
        return
    planned.add(command)
    if kind == "run":
        run(where, command)
    elif kind in ("plan", "cluster") and re.match("nuce (run|submit)", command):
        whole = command if "submit" not in command or "--dry-run" in command else command.replace(" -- ", " --dry-run -- ", 1) \
            if " -- " in command else command + " --dry-run"
        run(where, re.sub(r"nuce run( .*?)(?: --platform \S+)?$", r"nuce plan\1", whole))
    elif kind == "bench" and command.split()[1] not in cache.setdefault("bench", run(where, "nuce-bench --list")).split():
        problems.append(f"{where}: {command}: no such case")
    elif kind == "plot":
        plot(where, command.split()[2])


def check_items(page, text):
    """A row of a table, with the rows below it whose first cell is empty, names the run of each plot that it names."""
    for item in re.finditer(r"^\| (?!\| ).*\n(?:\| \| .*\n)*", text, re.M):
        verb, ran, shown = "", set(), []
        for span in re.findall(r"`([^`]+)`", item[0]):
            if span.startswith("nuce "):
                verb, span = span.split(" ", 2)[1:]
            if verb in ("run", "submit"):
                ran.add(span)
            elif span in plots:
                shown.append(span)
        for name in shown:
            command = f"{plots[name]} {head_of(name, 'options')}".strip()
            counts["plots of papers"] += 1
            if command not in ran:
                problems.append(f"{page}: {name}: expected `nuce run {command}` in its item")


helps = [[name] for name in real]
for program, heading in ("nuce", "Subcommands:"), ("nuce-model", "Models:"), ("nuce-calibrate", "Workloads:"):
    part = help_of(program).partition(heading)[2].partition("\n\n")[0]
    helps += [[program, name] for name in re.findall(r"^  ([a-z]+) ", part, re.M)]
texts.update({" ".join(program) + " --help": help_of(*program) for program in helps})
for page, text in texts.items():
    if page.startswith("docs/papers/"):
        check_items(page, text)
    commands = list(commands_of(page, text))
    if page.endswith("--help") and len(commands) < 2:
        problems.append(f"{page}: fewer than two examples")
    for line, command in commands:
        if not command.startswith("#!"):
            command = re.sub(r"(^|\s)#.*", "", command, flags=re.M) if "<<" not in command else command
            command = re.sub(r"\s*\\\n\s*", " ", command).strip()
        for pattern, other in STAND_INS:
            command = re.sub(pattern, other, command)
        for one in [command] if command.startswith("#!") else re.split(r" && (?!cd )", command):
            if one:
                treat(f"{page}:{line}", one)
print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items(), key=str)), f"of {len(texts)} pages and helps")
print("\n".join(problems), file=sys.stderr)
sys.exit(1 if problems else 0)
