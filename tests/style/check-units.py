#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""systemd understands the units: check-units.py SYSTEMD_ANALYZE FOLDER"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tree

ANALYZE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
EXEC_START = r'(?m)^ExecStart="/\S+/(gmcpd"$|gmcp-tasks"(?= --listen-fds$))'


def main():
    units = sorted(path for path in FOLDER.iterdir() if path.suffix in ('.service', '.socket'))
    problems = []
    with tempfile.TemporaryDirectory(prefix='gmcp-units-') as folder:
        for unit in units:
            # The programs are not where they will be installed.
            text, n_programs = re.subn(EXEC_START, 'ExecStart="/bin/true"', unit.read_text(encoding='utf-8'))
            if n_programs != (unit.suffix == '.service'):
                problems.append(f'{unit.name}: starts {n_programs} programs')
            (pathlib.Path(folder) / unit.name).write_text(text, encoding='utf-8')
        done = subprocess.run([ANALYZE, '--user', 'verify', '--man=no', *(f'{folder}/{unit.name}' for unit in units)], capture_output=True,
                              text=True, env={**os.environ, 'XDG_RUNTIME_DIR': folder}, check=False)
    if (done.returncode, done.stdout, done.stderr) != (0, '', ''):
        problems.append(f'systemd-analyze: {done.returncode}\n{done.stdout}{done.stderr}')
    tree.report(problems, f'{len(units)} units of systemd')


if __name__ == '__main__':
    main()
