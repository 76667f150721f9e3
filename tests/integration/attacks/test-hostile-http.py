#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server over HTTP that goes wrong: each case ends, in time and memory that are bounded, with an error
that names the server, and no call is sent twice.

test-hostile-http.py GMCP HOSTILE_SERVER
"""
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

GMCP, SERVER = map(os.path.abspath, sys.argv[1:3])
OK, TOOL_ERROR, USAGE, UNREACHABLE, TIMED_OUT, NOT_PERMITTED, PROTOCOL, OUTPUT = range(8)
KEPT = tempfile.TemporaryDirectory(prefix='gmcp-hostile-', ignore_cleanup_errors=True)  # until the program ends
FOLDER = pathlib.Path(KEPT.name)
SECRET = 'hunter2-is-secret'
failures = 0
count = 0

spec = importlib.util.spec_from_file_location('hostile', SERVER)
hostile = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hostile)
other = hostile.Server()
server = hostile.Server(other)
PORT, OTHER_PORT = server.port, other.port


def check(name, condition, told=''):
    global failures, count
    count += 1
    failures += not condition
    print(f'{"ok" if condition else "not ok"} {count} - {name}', flush=True)
    if not condition:
        for line in str(told).splitlines():
            print(f'# {line}')


def config(path, **more):
    file = FOLDER / f'{path.replace("/", "-")}.json'
    entry = {'url': f'http://127.0.0.1:{PORT}/{path}', 'protocolEra': 'legacy',
             'headers': {'Authorization': f'Bearer {SECRET}', 'X-Key': SECRET}, **more}
    file.write_text(json.dumps({'mcpServers': {'web': entry}}))
    return str(file)


def call(path, timeout=20, environment=None, **more):
    return subprocess.run([GMCP, '--config', config(path, **more), 'call', 'web__go', '--timeout', str(timeout)],
                          env=dict(os.environ, **(environment or {})), capture_output=True, text=True, timeout=400, check=False)


def expect(path, status, *words, calls=1, timeout=20, **more):
    """Runs one call; its exit status, what its message says, how often the server got it."""
    before = hostile.CALLED['/' + path]
    done = call(path, timeout, **more)
    got = hostile.CALLED['/' + path] - before
    told = f'status {done.returncode}, {got} calls\n{done.stdout}\n{done.stderr}'
    statuses = status if isinstance(status, tuple) else (status,)
    good = done.returncode in statuses and got == calls and all(word in done.stdout + done.stderr for word in words)
    check(f'{path}: status {done.returncode}', good, told)
    check(f'{path}: tells no secret', SECRET not in done.stdout + done.stderr, told)
    return done


def test_good():
    for path in ('json', 'sse', 'slowly', 'length-long'):
        expect(path, OK, hostile.TEXT)
    expect('json', OK, hostile.TEXT, protocolEra='auto')


def test_wrong_places():
    name = f'127.0.0.1:{PORT}'
    for era in ('auto', 'legacy'):
        expect('html', UNREACHABLE, name, 'web page', calls=0, protocolEra=era)
        expect('missing', UNREACHABLE, name, '404', calls=0, protocolEra=era)
        expect('sign-in', NOT_PERMITTED, name, '401', calls=0, protocolEra=era)
        expect('forbidden', NOT_PERMITTED, name, '403', calls=0, protocolEra=era)
        expect('broken', (PROTOCOL, UNREACHABLE), name, '500', calls=0, protocolEra=era)
    expect('not-http', (PROTOCOL, UNREACHABLE), name, calls=0)
    expect('endless-head', (PROTOCOL, UNREACHABLE), name, calls=0)
    expect('silent', TIMED_OUT, calls=0, timeout=2)


def test_redirects():
    expect('redirect-same', OK, hostile.TEXT)
    expect('redirect-loop', UNREACHABLE, calls=0)
    loops = len(hostile.SEEN['/redirect-loop'])
    check('a loop of redirections ends soon', loops < 60, loops)
    expect('redirect-file', UNREACHABLE, calls=0)
    expect('redirect-get', UNREACHABLE, calls=0)

    before = len(hostile.SEEN['/json'])
    expect('redirect-other', UNREACHABLE, 'another origin', 'allowed-redirect-origins', f'http://127.0.0.1:{OTHER_PORT}', calls=0)
    check('another origin gets nothing', len(hostile.SEEN['/json']) == before, hostile.SEEN['/json'][before:])
    expect('redirect-other', OK, hostile.TEXT, allowedRedirectOrigins=[f'http://127.0.0.1:{OTHER_PORT}'])
    expect('redirect-other', (USAGE, UNREACHABLE), 'is no origin', calls=0, allowedRedirectOrigins=['127.0.0.1'])
    told = hostile.SEEN['/json'][before:]
    check('the other origin was asked', any(seen['rpc'] == 'tools/call' for seen in told), told)
    check('and got no credentials', not any(SECRET in str(seen) for seen in told), told)
    mine = hostile.SEEN['/redirect-other']
    check('this one did', all(seen.get('x-key') == SECRET for seen in mine), mine)


def test_stalls():
    for path in ('stall-head', 'stall-json', 'stall-event', 'stall-utf8'):
        start = time.monotonic()
        expect(path, TIMED_OUT, timeout=1)
        check(f'{path}: in time', time.monotonic() - start < 15, time.monotonic() - start)


def test_cuts():
    """Wherever the connection breaks, and at each byte around what the answer is whole with: an error, or the answer where it
    was whole by then."""
    text = hostile.message(3, result={'content': [{'type': 'text', 'text': hostile.TEXT}]})
    answers = {'cut-json': (hostile.whole(text), len(hostile.whole(text))),
               'cut-sse': (hostile.head(200, **hostile.EVENTS) + hostile.chunk(hostile.event(text)) + hostile.chunk(b''),
                           len(hostile.head(200, **hostile.EVENTS) + hostile.chunk(hostile.event(text))) - 2)}
    for name, (answer, enough) in answers.items():
        places = [at for at in range(len(answer) + 1) if at % 5 == 0 or abs(at - enough) <= 8]
        paths = [f'{name}/{at}' for at in places]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = list(pool.map(call, paths))
        wrong = [f'{path}: {one.returncode} {one.stdout}{one.stderr}' for at, path, one in zip(places, paths, done)
                 if (one.returncode == OK) != (at >= enough) or one.returncode not in (OK, UNREACHABLE, PROTOCOL)]
        check(f'{name}: cut at {len(places)} of {len(answer)} bytes', not wrong, '\n'.join(wrong[:10]))
        again = [path for path in paths if hostile.CALLED['/' + path] != 1]
        check(f'{name}: no call came twice', not again, again)


def test_sizes():
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    for path in ('large-event', 'large-json', 'bomb', 'bomb-events'):
        # To unpack and refuse that much takes time.
        expect(path, PROTOCOL, 'limit', timeout=300)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check('memory is bounded', most < max(before, 230 * 1024), f'{before} KiB before, {most} KiB')
    for path in ('length-short', 'length-cut', 'bad-utf8', 'other-id', 'no-answer'):
        expect(path, (PROTOCOL, UNREACHABLE))
    # libsoup 3.2 itself warns of a length below zero before anybody sees the header.
    expect('length-nonsense', (PROTOCOL, UNREACHABLE), environment={'G_DEBUG': ''})


def test_busy():
    start = time.monotonic()
    expect('busy-429', OK, hostile.TEXT, calls=2)
    expect('busy-503', OK, hostile.TEXT, calls=2)
    check('waits as long as it was asked to', time.monotonic() - start >= 2, time.monotonic() - start)
    expect('busy-for-ever', (PROTOCOL, UNREACHABLE), '429', calls=2)
    expect('busy-for-a-year', (PROTOCOL, UNREACHABLE, TIMED_OUT), calls=1, timeout=3)


def test_retry_zero():
    expect('retry-zero', (PROTOCOL, UNREACHABLE, TIMED_OUT), timeout=3)
    gets = sum(seen['method'] == 'GET' for seen in hostile.SEEN['/retry-zero'])
    check('no tight loop', gets < 30, gets)


def test_old():
    """HTTP+SSE, from the start and gone over to."""
    for kind in ('good', 'whole', 'twice', 'both'):
        expect_old(kind, OK, hostile.TEXT)
    for kind in ('elsewhere', 'other-host', 'file', 'long'):
        expect_old(kind, UNREACHABLE, 'another place', calls=0)
    seen = hostile.SEEN['/old/elsewhere/post']
    check('another origin gets nothing', not seen, seen)
    expect_old('silent', TIMED_OUT, calls=0, timeout=2)
    expect_old('refuses', (PROTOCOL, UNREACHABLE), '500')
    expect_old('ends', UNREACHABLE)
    expect_old('large', (PROTOCOL, UNREACHABLE, TIMED_OUT, OK), timeout=10)
    expect('html', UNREACHABLE, 'web page', calls=0, type='sse')
    expect('missing', UNREACHABLE, '404', calls=0, type='sse')
    expect('sign-in', NOT_PERMITTED, '401', calls=0, type='sse')
    expect('json', UNREACHABLE, '405', calls=0, type='sse')
    expect_old('good', OK, hostile.TEXT, type='http')
    expect_old('good', OK, hostile.TEXT, type='http', protocolEra='auto')


def expect_old(kind, status, *words, calls=1, **more):
    """The call comes to the address that the stream names."""
    before = hostile.CALLED[f'/old/{kind}/post']
    expect(f'old/{kind}', status, *words, calls=0, **{'type': 'sse', **more})
    got = hostile.CALLED[f'/old/{kind}/post'] - before
    check(f'old/{kind}: sent {calls} times', got == calls, got)


def main():
    for test in (test_good, test_wrong_places, test_redirects, test_stalls, test_cuts, test_sizes, test_busy,
                 test_retry_zero, test_old):
        test()
    print(f'1..{count}')
    sys.exit(1 if failures else 0)


main()
