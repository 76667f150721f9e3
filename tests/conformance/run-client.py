#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the official conformance suite against a client program, and reports in TAP: run-client.py PROGRAM

The suite's own exit status also counts what this project does not have yet, signing in.
"""

import os
import shlex
import sys

import suite

# Not scored by the suite, since they came after the revision, but passed all the same.
ALSO = ("json-schema-2020-12-preservation",)


def main():
    program = os.path.abspath(sys.argv[1])
    node, package = suite.find()
    if node is None:
        return 0

    report = suite.Report(node, package)
    for revision in ("2025-11-25", "2026-07-28"):
        names = [name for name in suite.scored(package, revision, "client") if not name.startswith("auth/")]
        report.run("client", ["--command", shlex.quote(program)], revision, [*names, *ALSO])
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
