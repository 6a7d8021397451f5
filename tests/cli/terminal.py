"""Runs nuce with the words of each line of stdin on a terminal; tells those whose lines are wider than 100 columns.

terminal.py [--print] NUCE <COMMANDS"""

import os
import pty
import sys

COLUMNS = 100


def run(argv):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(argv[0], argv)
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    os.waitpid(pid, 0)
    return said.decode().replace("\r\n", "\n")


printing = sys.argv[1] == "--print"
wide = 0
for command in sys.stdin:
    text = run([sys.argv[-1], *command.split()])
    assert text.strip(), f"nothing is said: {command}"
    if printing:
        print(text, end="")
    # A rewritten line starts over.
    longest = max((line.split("\r")[-1] for line in text.split("\n")), key=len)
    if len(longest) > COLUMNS:
        print(f"{command.strip()}: {len(longest)}: {longest}")
        wide += 1
sys.exit(wide > 0)
