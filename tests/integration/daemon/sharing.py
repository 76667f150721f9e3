# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host that shares the processes of a daemon with others."""
import json
import subprocess
import threading

from session import wait_until


class Host:
    """A program with a manager of its own."""
    program = None

    def __init__(self, test, name, *words, config=None, **more):
        self.name = name
        env = {**test.env, **more}
        self.process = test.run_beside([self.program, name, config or test.config, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       text=True, env=env)
        test.addCleanup(self.process.stdin.close)
        self.lines = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))

    def tell(self, command):
        self.process.stdin.write(command + '\n')
        self.process.stdin.flush()

    def of(self, *words):
        return [line for line in self.lines if line.split(' ')[0] in words]

    def ask(self, command, *words):
        """The first new line that begins with one of the words."""
        known = len(self.of(*words))
        self.tell(command)
        wait_until(lambda: len(self.of(*words)) > known or self.process.poll() is not None)
        return self.of(*words)[known]

    def call(self, tool):
        return self.ask(f'call {tool}', 'result', 'error')

    def status(self):
        return json.loads(self.ask('status', 'status').partition(' ')[2])['servers'][0]

    def end(self):
        self.process.stdin.close()
        return self.process.wait()
