#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The guide's application with actions as tools, on a display of its own, and a client: run-notes-app.py COMMAND…"""
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import display

if not os.environ.get('GMCP_TEST_NODE'):
    print('no Node.js of the tests; ./dev test installs it')
    sys.exit(display.SKIP)
if subprocess.run([sys.executable, '-c', 'import gi; gi.require_version("Gtk", "4.0")'], stderr=subprocess.DEVNULL).returncode != 0:
    print('GTK 4 is not here')
    sys.exit(display.SKIP)
screen = display.start()
try:
    sys.exit(subprocess.run(sys.argv[1:]).returncode)
finally:
    screen.terminate()
    screen.wait()
