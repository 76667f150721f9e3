# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the style checks share: the tree's files, and C without its comments or strings."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = 77

TOKEN = re.compile(r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S)


def files(*suffixes):
    """The project's files whose name ends in one of SUFFIXES (all without), as paths relative to ROOT."""
    try:
        git = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                             cwd=ROOT, capture_output=True, check=True, text=True)
        names = [name for name in git.stdout.split('\0') if name and (ROOT / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        # A release's tarball: no git, but no build folder either.
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob('*') if path.is_file()]
        names = [name for name in names if not name.startswith(('.git/', 'build'))]
    return sorted(pathlib.PurePosixPath(name) for name in set(names) if not suffixes or name.endswith(suffixes))


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def _blank(text):
    return re.sub(r'[^\n]', ' ', text)


def code_only(text):
    """TEXT with its comments and the insides of its strings blanked, line for line."""
    return TOKEN.sub(lambda m: _blank(m[0]) if m['comment'] else '"' + _blank(m[0][1:-1]) + '"', text)


def without_comments(text):
    return TOKEN.sub(lambda m: _blank(m[0]) if m['comment'] else m[0], text)


def skip(reason):
    print(reason)
    sys.exit(SKIP)


def report(problems, what):
    """Ends the check: each problem on a line, and a sum."""
    for problem in problems:
        print(problem)
    print(f'{what}: {len(problems)} problem(s)' if problems else f'{what}: fine')
    sys.exit(1 if problems else 0)
