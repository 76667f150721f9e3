# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the unittest cases of a script and reports in TAP, which meson counts case by case."""
import sys
import traceback
import unittest


class TapResult(unittest.TestResult):
    count = 0
    failed_parts = ''

    def report(self, line, test, note='', detail=''):
        self.count += 1
        for text in detail.splitlines():
            print('#', text)
        print(f'{line} {self.count} - {test.id().removeprefix("__main__.")}{note}', flush=True)

    def addSuccess(self, test):
        self.report('ok', test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.report('ok', test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.report('not ok', test, detail=''.join(traceback.format_exception(*err)))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        """A test of which a part fails is told of once, with all of the parts."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.failed_parts += f'{subtest}\n' + ''.join(traceback.format_exception(*err))

    def startTest(self, test):
        super().startTest(test)
        self.failed_parts = ''

    def stopTest(self, test):
        super().stopTest(test)
        if self.failed_parts:
            self.report('not ok', test, detail=self.failed_parts)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules['__main__'])
    print(f'1..{suite.countTestCases()}')
    result = TapResult()
    suite.run(result)
    sys.exit(not result.wasSuccessful())
