# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a terminal shows of a program's output: lines as text, without styles.

It knows what gmcp and a line editor write: characters of one and two columns, line ends, tabs, movements of the
cursor, and erasing. A sequence that it does not know raises, since it would be shown as something else.
"""
import re
import unicodedata

TAB_COLUMNS = 8
SEQUENCE = re.compile(r'\x1b(?:\[(?P<parameters>[0-9;?<>=]*)(?P<final>[@-~])|\](?P<system>[^\x07\x1b]*)(?:\x07|\x1b\\)'
                      r'|_(?P<application>[^\x1b]*)\x1b\\|[()][0-9A-B]|[=>78M])')
UNFINISHED = re.compile(r'\x1b(?:\[[0-9;?<>=]*|\][^\x07\x1b]*\x1b?|_[^\x1b]*\x1b?|[()])?\Z')


def columns_of(character):
    if unicodedata.combining(character) or unicodedata.category(character) in ('Mn', 'Me', 'Cf'):
        return 0
    return 2 if unicodedata.east_asian_width(character) in 'WF' else 1


class Screen:
    """Rows that were scrolled away are kept, so that text() is all that was to be seen."""

    def __init__(self, columns=80, rows=24):
        self.columns, self.rows = columns, rows
        self.grid = [[]]  # a row is a list of cells: text, and '' behind a character of two columns
        self.top = 0  # the first row of what the terminal shows
        self.row = self.column = 0
        self.wraps = False  # the last column was written, and the next character goes to the next row
        self.pending = ''

    def feed(self, text):
        text = self.pending + text
        unfinished = UNFINISHED.search(text)
        self.pending = unfinished.group() if unfinished else ''
        position, end = 0, len(text) - len(self.pending)
        while position < end:
            if text[position] == '\x1b':
                match = SEQUENCE.match(text, position)
                if match is None:
                    raise ValueError(f'an escape that no terminal knows: {text[position:position + 20]!r}')
                self.obey(match)
                position = match.end()
            else:
                self.write(text[position])
                position += 1

    def write(self, character):
        if character == '\n':
            self.go(self.row + 1, self.column)
        elif character == '\r':
            self.go(self.row, 0)
        elif character == '\b':
            self.go(self.row, self.column - 1)
        elif character == '\t':
            self.go(self.row, self.column - self.column % TAB_COLUMNS + TAB_COLUMNS)
        elif character == '\a':
            pass
        elif unicodedata.category(character) == 'Cc':
            raise ValueError(f'a control character: {character!r}')
        else:
            self.put(character)

    def put(self, character):
        width = columns_of(character)
        if width == 0:
            cells = self.fill(self.column)
            if self.column > 0:
                cells[self.column - 1] += character
            return
        if self.wraps or self.column + width > self.columns:
            self.go(self.row + 1, 0)
        cells = self.fill(self.column + width)
        cells[self.column:self.column + width] = [character, *[''] * (width - 1)]
        self.wraps = self.column + width == self.columns
        self.column = min(self.column + width, self.columns - 1)

    def fill(self, width):
        """The cells of the cursor's row, as many as that at least."""
        cells = self.grid[self.row]
        cells += [' '] * (width - len(cells))
        return cells

    def go(self, row, column):
        self.row = max(row, self.top)
        self.column = min(max(column, 0), self.columns - 1)
        self.wraps = False
        while len(self.grid) <= self.row:
            self.grid.append([])
        self.top = max(self.top, self.row - self.rows + 1)

    def obey(self, match):
        final, parameters = match['final'], match['parameters'] or ''
        if final is None or final in 'mhl' or parameters[:1] in ('?', '<', '>', '='):
            return  # styles, titles, pictures and modes
        numbers = [int(number or 0) for number in parameters.split(';')]
        first = max(numbers[0], 1)
        if final in 'ABCD':
            down, right = {'A': (-first, 0), 'B': (first, 0), 'C': (0, first), 'D': (0, -first)}[final]
            self.go(min(self.row + down, self.top + self.rows - 1), self.column + right)
        elif final == 'G':
            self.go(self.row, first - 1)
        elif final in 'Hf':
            second = max(numbers[1], 1) if len(numbers) > 1 else 1
            self.go(self.top + min(first, self.rows) - 1, second - 1)
        elif final in 'JK':
            self.erase(final, numbers[0])
        elif final == 'P':
            del self.fill(self.column)[self.column:self.column + first]
        elif final == '@':
            self.fill(self.column)[self.column:self.column] = [' '] * first
            del self.grid[self.row][self.columns:]
        elif final == 'X':
            self.fill(self.column + first)[self.column:self.column + first] = [' '] * first
        else:
            raise ValueError(f'a sequence that is not known here: {match.group()!r}')

    def erase(self, final, which):
        if which == 0:
            del self.grid[self.row][self.column:]
            if final == 'J':
                del self.grid[self.row + 1:]
        elif which == 1:
            self.fill(self.column + 1)[:self.column + 1] = [' '] * (self.column + 1)
            for row in range(self.top, self.row if final == 'J' else self.top):
                self.grid[row] = []
        elif final == 'K':
            self.grid[self.row] = []
        else:
            # What was to be seen stays above, as it does in a terminal that scrolls it away.
            self.top = len(self.grid)
            self.grid.append([])
            self.row = self.top

    def lines(self):
        lines = [''.join(cells).rstrip() for cells in self.grid]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def text(self):
        return ''.join(line + '\n' for line in self.lines())
