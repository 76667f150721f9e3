# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program in a terminal of its own: what it shows, what is typed, and screens to compare with.

    with Terminal([GMCP, 'tools'], columns=80, environment={…}) as terminal:
        terminal.wait_for('Number of the year:')
        terminal.type('7\\r')
        status = terminal.finish()
        check_screen(self, terminal.text(), 'tools-80.txt', home)

The screens are in tests/data/screens; with GMCP_UPDATE_SCREENS=1 they are written instead of compared.
"""
import codecs
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

from screen import Screen

SCREENS = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'screens'
PATIENCE_S = 60  # until a test is given up; nothing waits for that long where all is well
SHOWN_HOME = '/tmp/home-of-somebody'  # as long as those of make_home()
OTHER_TERMINAL = ('COLUMNS', 'LINES', 'NO_COLOR', 'LANGUAGE', 'TERM_PROGRAM', 'KITTY_WINDOW_ID')
LOOK_EVERY_S = 0.02
CTRL_C, CTRL_D, TAB, UP = '\x03', '\x04', '\t', '\x1b[A'


class Terminal:
    """Standard output and error are the terminal; so is standard input."""

    def __init__(self, command, columns=80, rows=24, environment=None, cwd=None, output=None):
        self.screen = Screen(columns, rows)
        self.decoder = codecs.getincrementaldecoder('utf-8')(errors='replace')
        self.raw = ''  # all that was written, with its escapes
        self.is_over = False
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
        outer = {name: value for name, value in os.environ.items() if name not in OTHER_TERMINAL}
        environment = {**outer, 'TERM': 'xterm-256color', 'LC_ALL': 'C.UTF-8', **(environment or {})}
        self.process = subprocess.Popen(list(map(str, command)), stdin=slave, stdout=output or slave, stderr=slave,
                                        env=environment, cwd=cwd, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    def read(self, timeout):
        """Whether something came; FALSE too where nobody writes any more."""
        if self.is_over or not select.select([self.master], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # EIO: the last one who had it open is gone
            data = b''
        self.is_over = not data
        text = self.decoder.decode(data)
        self.raw += text
        self.screen.feed(text)
        return bool(data)

    def wait_until(self, condition, what):
        """The condition may be one of the screen, or of something that the program does elsewhere."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            self.read(LOOK_EVERY_S)
            if (self.is_over or time.monotonic() > end) and not condition():
                why = 'the program ended' if self.is_over else 'time is over'
                raise AssertionError(f'{what} is not to be seen, and {why}. To be seen is:\n{self.text()}')

    def wait_for(self, text, times=1):
        """Until the text is on the screen, so many times where it comes more than once."""
        self.wait_until(lambda: self.text().count(text) >= times, f'“{text}”')

    def wait_for_line(self, line, last=True):
        """Until the last line that is not empty is that."""
        def seen():
            lines = self.screen.lines()
            return bool(lines) and (lines[-1] == line if last else line in lines)
        self.wait_until(seen, f'the line “{line}”')

    def type(self, text):
        os.write(self.master, text.encode())

    def signal(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def text(self):
        return self.screen.text()

    def finish(self):
        """Reads all that comes until the program has ended; gives its exit status."""
        end = time.monotonic() + PATIENCE_S
        # A server that is left behind may still have the terminal open, which then has no end.
        while not self.is_over and self.process.poll() is None and time.monotonic() < end:
            self.read(LOOK_EVERY_S)
        status = self.process.wait(timeout=max(end - time.monotonic(), 0))
        while self.read(0):
            pass
        return status


def make_home(test):
    """A folder for a user, which is removed with the test. Its path is always as long, since lines break by that."""
    folder = tempfile.TemporaryDirectory(prefix='home-of-', dir='/tmp', ignore_cleanup_errors=True)
    test.addCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def environment_of(home):
    return {'HOME': str(home), 'XDG_CONFIG_HOME': str(home / '.config'), 'XDG_STATE_HOME': str(home / 'state'),
            'XDG_CACHE_HOME': str(home / 'cache'), 'XDG_DATA_HOME': str(home / 'data'), 'XDG_RUNTIME_DIR': str(home)}


def check_screen(test, text, name, home=None):
    """Compares with the screen of that name, where each home is that of somebody."""
    if home is not None:
        # A line may break in the middle of it.
        broken = '(\n?)'.join(map(re.escape, str(home)))
        shown = ''.join(f'{character}\\{i + 1}' for i, character in enumerate(SHOWN_HOME[:-1])) + SHOWN_HOME[-1]
        text = re.sub(broken, shown, text)
    path = SCREENS / name
    if os.environ.get('GMCP_UPDATE_SCREENS'):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    test.assertEqual(text, path.read_text() if path.exists() else f'(there is no {path})')
