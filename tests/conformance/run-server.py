#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the official conformance suite against a server program, and reports in TAP: run-server.py COMMAND…

The program prints its address, and ends with its standard input.
"""

import subprocess
import sys

import suite

# Not scored by the suite, but passed all the same.
ALSO = {"2025-11-25": ("server-session-lifecycle", "json-schema-2020-12"),
        "2026-07-28": ("json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation")}


def main():
    node, package = suite.find()
    if node is None:
        return 0

    report = suite.Report(node, package)
    with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        for revision, also in ALSO.items():
            names = suite.scored(package, revision, "server")
            report.run("server", ["--url", address], revision, [*names, *also], prefix="server-")
        server.stdin.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
