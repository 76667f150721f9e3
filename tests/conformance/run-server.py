#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the official conformance suite against a server program, and reports in TAP: run-server.py [--gateway] COMMAND…

The program prints its address, and ends with its standard input. With --gateway it is a gateway to the server of the suite.
"""

import subprocess
import sys

import suite

# Not scored by the suite, but passed all the same.
ALSO = {"2025-11-25": ("server-session-lifecycle", "json-schema-2020-12", "server-sse-polling"),
        "2026-07-28": ("json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation",
                       "tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal",
                       "tasks-mrtr-input", "tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-required-task-error",
                       "tasks-mrtr-composition")}
# The suite of this version makes one check of these, which it skips whatever the server does: "pending
# subscriptions/listen rewrite". tests/unit/server/test-server-tasks.c has what they are about.
SKIPPED = {"2026-07-28": ("tasks-status-notifications",)}

NO_ROOTS = "a gateway passes no roots on, which are deprecated: servers behind it are told that there are none"
# What a gateway cannot pass with any server behind it, and why.
IMPOSSIBLE = {
    "2025-11-25": {
        "server-sse-polling": "the stream that the server behind a gateway ends is its own, not that of the gateway's client"},
    "2026-07-28": {
        "input-required-result-basic-list-roots": NO_ROOTS,
        "input-required-result-multiple-input-requests": f"it wants roots, too: {NO_ROOTS}",
        "tasks-mrtr-composition": "a task of a gateway's is the gateway's own, and begins before the server behind it can ask"},
}


def main():
    node, package = suite.find()
    if node is None:
        return 0

    command = sys.argv[1:]
    impossible = {}
    if command[0] == "--gateway":
        impossible = IMPOSSIBLE
        del command[0]
    report = suite.Report(node, package)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        for revision, also in ALSO.items():
            names = suite.scored(package, revision, "server")
            report.run("server", ["--url", address], revision, [*names, *also], prefix="server-",
                       skipped=SKIPPED.get(revision, ()), impossible=impossible.get(revision))
        server.stdin.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
