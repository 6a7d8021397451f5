#!/usr/bin/env python3
"""Every command of the documents is one that nuce takes: documented.py PROGRAMS SOURCES [MPIEXEC].

Commands are the lines of `sh` blocks and the code spans that begin with a program of nuce. Each has its options
held against the --help of its program, and the sweeps, figures and platforms that it names against `nuce list`.
Sweeps, shipped or in a `yaml` block, are planned. nuce-model runs as written; programs under mpiexec run with
one sample where they need no more than MOST_RANKS ranks. What a page of docs/papers says makes a figure is the
command that an empty database names for it, and where that is cheap it is run and the figure has rows."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

MOST_RANKS = 8
PROGRAM = re.compile(r"nuce(-[a-z]+)?$")
HOLE = re.compile(r"[A-Z][A-Z_-]*(?:\.[a-z.]+)?$|\.\.\.$|TIME-")  # stands for a user's own: FILE, CAMPAIGN, NAME.K
programs, sources = (os.path.abspath(p) for p in sys.argv[1:3])
mpiexec = sys.argv[3] if len(sys.argv) > 3 else "mpiexec"
os.environ["PATH"] = programs + ":" + os.environ["PATH"]
problems, ran, known = [], 0, {}


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


def help_of(*program):
    """The options of a program or subcommand: long and short names."""
    if program not in known:
        text = call(*program, "--help").stdout
        known[program] = set(re.findall(r"(?:^|[\s,])(--[a-z][a-z0-9-]*|-[A-Za-z])(?=[=,\s\[]|$)", text, re.M))
    return known[program]


def listed(what):
    if what not in known:
        rows = call("nuce", "list", what, "--format", "json").stdout.splitlines()
        known[what] = {json.loads(row)["name"] for row in rows}
    return known[what]


def commands_of(text):
    """(line number, command) of a page: blocks of sh, with continued lines joined, and code spans."""
    for block in re.finditer(r"^```sh[^\n]*\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, block.start()) + 2
        body = block.group(1)
        for found in re.finditer(r"(?:\\\n|\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\n\"'])+", body):
            yield line + body.count("\n", 0, found.start()), found.group().replace("\\\n", " ")
    for span in re.finditer(r"`((?:nuce|mpiexec)[^`]*)`", re.sub(r"^```.*?^```", lambda m: "\n" * m.group().count("\n"), text,
                                                                flags=re.M | re.S)):
        yield text.count("\n", 0, span.start()) + 1, " ".join(span.group(1).split())


def calls_in(command):
    """The calls of our programs in a line of shell: (launcher words, words), redirections and comments left out."""
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    part = []
    for word in words + [";"]:
        if word and set(word) <= set("();<>|&"):
            if "<" in word or ">" in word:
                part.append(None)
                continue
            mine = [w for i, w in enumerate(part) if w is not None and (i == 0 or part[i - 1] is not None)]
            at = next((i for i, w in enumerate(mine) if PROGRAM.match(os.path.basename(w))), None)
            if at is not None and (at == 0 or mine[0] in ("mpiexec", "srun", "exec", "if", "!")):
                yield mine[:at], [os.path.basename(mine[at])] + mine[at + 1:]
            part = []
        else:
            part.append(word)


def check_options(where, words):
    several = words[0] in ("nuce", "nuce-model", "nuce-calibrate") and len(words) > 1 and not words[1].startswith("-")
    program = tuple(words[:2 if several else 1])
    if len(words) == len(program) or not os.path.exists(os.path.join(programs, words[0])):
        return
    options = help_of(*program)
    if not options:
        problems.append(f"{where}: '{' '.join(program)}' is no command")
        return
    for word in words[len(program):]:
        if word == "--":
            break
        name = word.split("=")[0]
        if re.match(r"--?[A-Za-z]", word) and name not in options:
            problems.append(f"{where}: {' '.join(program)} has no option {name}")


def check_names(where, words, own):
    """Names of sweeps and figures that are neither shipped nor of the page itself."""
    if words[0] != "nuce" or len(words) < 3 or words[2].startswith("-") or HOLE.search(words[2]):
        return
    verb, name = words[1], words[2]
    if verb in ("plan", "run", "submit") and name not in listed("sweeps") and name not in own and not os.path.exists(
            os.path.join(sources, name)):
        problems.append(f"{where}: no sweep '{name}'")
    if verb in ("table", "figure") and name != "all" and "--plots" not in words and not re.search(r"\.capture$", name):
        # Campaigns, a list of them at times; one of 'nuce race' is called race.
        campaigns = {re.sub(r"\.yaml$", "", o) for o in own} | listed("sweeps") | {"race"}
        for part in name.split(","):
            if name not in listed("figures") and re.sub(r"\.\d+$", "", part) not in campaigns:
                problems.append(f"{where}: no figure '{part}'")
    if verb == "list" and call("nuce", "list", name).returncode != 0:
        problems.append(f"{where}: nothing to list called '{name}'")


def run(where, launcher, words):
    """What is cheap and needs nothing of a user's."""
    global ran
    if any(HOLE.search(w) for w in words[1:]) or any(re.search(r"\$|my\.|app\.|/etc/", w) for w in words):
        return
    if words[0] == "nuce-model" and len(words) > 3:
        done = call(*words, cwd=sources, timeout=600)
    elif launcher and launcher[0] == "mpiexec" and words[0] in ("nuce-exchange", "nuce-redistribute", "nuce-stencil") \
            and int(launcher[launcher.index("-n") + 1]) <= MOST_RANKS and "measured" not in words:
        done = call(mpiexec, *launcher[1:], *words, "--min-samples", "1", "--max-samples", "1", "--warmup", "0", cwd=sources, timeout=600)
    else:
        return
    ran += 1
    if done.returncode != 0:
        problems.append(f"{where}: exit status {done.returncode}: {done.stderr.strip()[:300]}")


pages = [p for p in call("git", "-C", sources, "ls-files", "README.md", "docs/*.md", "docs/**/*.md").stdout.split()]
if not pages:
    pages = ["README.md"] + [os.path.relpath(os.path.join(d, f), sources) for d, _, names in os.walk(os.path.join(sources, "docs"))
                             for f in names if f.endswith(".md")]
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
own, count = set(), 0
texts = {page: open(os.path.join(sources, page)).read() for page in sorted(set(pages))}
for page, text in texts.items():
    for block in re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S):
        name = re.search(r"^name: ([\w.-]+)", block, re.M)
        if name:
            own |= {name.group(1), name.group(1) + ".yaml"}
    own |= set(re.findall(r"^cat >([\w.-]+\.yaml) <<", text, re.M))
seen = set()
for page, text in texts.items():
    for line, command in commands_of(text):
        for launcher, words in calls_in(command):
            count += 1
            where = f"{page}:{line}"
            check_options(where, words)
            check_names(where, words, own)
            if tuple(words) not in seen:
                seen.add(tuple(words))
                run(where, launcher, words)
            if words[:2] in (["nuce", "run"], ["nuce", "submit"]) and len(words) > 2 and words[2] in listed("sweeps"):
                if ("plan", words[2]) not in seen:
                    seen.add(("plan", words[2]))
                    planned = call("nuce", "plan", words[2])
                    if planned.returncode != 0:
                        problems.append(f"{where}: nuce plan {words[2]}: {planned.stderr.strip()[:300]}")
print(f"{count} commands of {len(texts)} pages, {ran} run, {sum(s[0] == 'plan' for s in seen if s)} sweeps planned")
print("\n".join(problems), file=sys.stderr)
sys.exit(1 if problems else 0)
