#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The module exports its three entry points and nothing else, and needs the shared library."""
import subprocess
import sys

WANTED = ['g_io_gmcp_tools_load', 'g_io_gmcp_tools_query', 'g_io_gmcp_tools_unload']


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def main(module):
    # Sanitizers and coverage export names of their own, with underscores in front.
    exported = sorted(line.split()[-1] for line in run('nm', '-D', '--defined-only', module).splitlines())
    exported = [name for name in exported if not name.startswith('_')]
    if exported != WANTED:
        sys.exit(f'{module} exports {exported}, not {WANTED}')
    if 'libgmcp-1.so.0' not in run('readelf', '-d', module):
        sys.exit(f'{module} does not need libgmcp-1.so.0')


main(sys.argv[1])
