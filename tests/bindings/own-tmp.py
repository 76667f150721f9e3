#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs a program with a folder for temporary files of its own, and removes the folder afterwards, with what the
program wrote there when it ended: own-tmp.py PROGRAM [ARGUMENT…]"""

import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory(prefix='gmcp-tests-', ignore_cleanup_errors=True) as folder:
    status = subprocess.run(sys.argv[1:], env=dict(os.environ, TMPDIR=folder)).returncode
sys.exit(status if status >= 0 else 128 - status)
