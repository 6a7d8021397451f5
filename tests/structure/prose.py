#!/usr/bin/env python3
"""How the tree's English reads: prose.py [--list | --check] [FOLDER]. --check fails above the limits below.

docs: sentences of the pages (README, CONTRIBUTING, docs/, READMEs of folders), without code blocks, tables
and headings; `code` counts as one word. comments: those of C files, by their first word."""
import os
import re
import subprocess
import sys

# Reached; they may fall, and never rise.
MEAN_WORDS = 14
LONG_SHARE = 0.04  # sentences over 30 words
COMMENTS = 0  # that begin with What, Whether, Of, Who

FIRST = re.compile(r"(What|Whether|Of|Who|Whose|Whom|Whoever|Nobody)\b")


def tracked(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], check=True, capture_output=True, text=True).stdout.split()


def sentences(page):
    """Sentences of a page's paragraphs and list items, as lists of words."""
    text = re.sub(r"^(```|~~~).*?^\1.*?$", "\n", page, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^\s*(#.*|\|.*|!\[.*)$", "\n", text, flags=re.M)
    text = re.sub(r"^\s*([-*]|\d+\.)\s", "\n\n", text, flags=re.M)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\[([^][]*)\]\([^()]*\)", r"\1", text)
    for paragraph in re.split(r"\n\s*\n", text):
        flat = " ".join(paragraph.split())
        for sentence in re.split(r"(?<=[.!?])[)*\"']?\s+(?=[A-Z(`\"*]|code)", flat):
            words = [w for w in sentence.split() if re.search(r"[A-Za-z0-9]", w)]
            if len(words) > 1:
                yield sentence, len(words)


def comments(source):
    """Comments of a C file; lines of // that follow each other are one."""
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', source)
    for found in re.finditer(r"/\*.*?\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*", text, flags=re.S):
        plain = re.sub(r"^[ \t]*(/\*+|\*/|\*|//+<?)|\*/$", "", found.group(), flags=re.M)
        yield " ".join(plain.split()), text.count("\n", 0, found.start()) + 1


def main():
    listed = "--list" in sys.argv
    folders = [word for word in sys.argv[1:] if not word.startswith("--")]
    if folders:
        os.chdir(folders[0])
    if subprocess.run(["git", "rev-parse", "--git-dir"], capture_output=True).returncode != 0:
        print("skipped: not a git working copy", file=sys.stderr)
        return 77
    pages = tracked("*.md")
    lengths, long = [], 0
    for name in pages:
        mine = list(sentences(open(name).read()))
        lengths += [n for _, n in mine]
        if mine:
            over = [s for s, n in mine if n > 30]
            print(f"{name}: {len(mine)} sentences, mean {sum(n for _, n in mine) / len(mine):.1f} words, "
                  f"{100 * len(over) / len(mine):.0f} % over 30")
            if listed:
                for s in over:
                    print("    " + s)
    count = total = 0
    for name in tracked("*.c", "*.h", "*.def", "*.inc"):
        for text, line in comments(open(name).read()):
            total += 1
            if FIRST.match(text):
                count += 1
                if listed:
                    print(f"{name}:{line}: {text[:90]}")
    print(f"docs: {len(lengths)} sentences, mean {sum(lengths) / len(lengths):.1f} words, "
          f"{100 * sum(n > 30 for n in lengths) / len(lengths):.0f} % over 30")
    print(f"comments: {total}, {count} beginning with What, Whether, Of, Who")
    mean, share = sum(lengths) / len(lengths), sum(n > 30 for n in lengths) / len(lengths)
    if "--check" not in sys.argv:
        return 0
    if mean > MEAN_WORDS or share > LONG_SHARE:
        print("sentences of the documents are too long: prose.py --list shows those over 30 words", file=sys.stderr)
    if count > COMMENTS:
        print("comments begin with What, Whether, Of, Who: prose.py --list shows them", file=sys.stderr)
    return int(mean > MEAN_WORDS or share > LONG_SHARE or count > COMMENTS)


sys.exit(main())
