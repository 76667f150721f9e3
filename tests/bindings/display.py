# SPDX-License-Identifier: LGPL-2.1-or-later
"""A display of a test's own."""
import os
import subprocess
import sys

SKIP = 77


def start():
    """Where there is Xvfb; its number is free, since the server chooses it."""
    reader, writer = os.pipe()
    try:
        display = subprocess.Popen(['Xvfb', '-displayfd', str(writer), '-nolisten', 'tcp', '-terminate', '-screen', '0', '800x600x24'],
                                   pass_fds=[writer], stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        print('Xvfb is not installed')
        sys.exit(SKIP)
    os.close(writer)
    with open(reader, encoding='ascii') as file:
        number = file.readline().strip()
    if not number:
        print('Xvfb does not run here')
        sys.exit(SKIP)
    os.environ.update(DISPLAY=f':{number}', GDK_BACKEND='x11', GSK_RENDERER='cairo', GTK_A11Y='none', NO_AT_BRIDGE='1')
    return display
