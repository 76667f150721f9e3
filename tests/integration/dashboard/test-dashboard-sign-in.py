#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Signing in to the dashboard, and `gmcp dashboard`: test-dashboard-sign-in.py GMCPD MANAGED_SERVER GMCP"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / 'daemon')]
from control import ControlSession, ROOT  # noqa: E402
from session import BusSession, Session, wait_until  # noqa: E402
import tap  # noqa: E402

Session.gmcpd, Session.server, GMCP = map(os.path.abspath, sys.argv[1:4])
OK, USAGE, UNREACHABLE = 0, 2, 3
NOBODY = 65534

# Sends the request in its arguments as another user, and prints the status.
OTHER_USER = '''
import http.client, os, sys
os.setgroups([]); os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1]))
connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[2]), timeout=60)
connection.request(sys.argv[3], sys.argv[4], headers={'Cookie': sys.argv[5], 'X-Gmcp-Dashboard': '1'})
print(connection.getresponse().status)
'''

# The same for a link, and is gone before the daemon looks at it. Once the system has passed that on (FIN_WAIT2), it does not
# know any more whose the connection was.
GONE = '''
import os, pathlib, signal, socket, sys, time
uid, daemon, port = map(int, sys.argv[1:4])
read_end, write_end = os.pipe()
os.kill(daemon, signal.SIGSTOP)
if os.fork() == 0:
    os.setgroups([]); os.setgid(uid); os.setuid(uid)
    connection = socket.socket()
    connection.connect(('127.0.0.1', port))
    connection.sendall(f'GET {sys.argv[4]} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n'.encode())
    os.write(write_end, str(connection.getsockname()[1]).encode())
    connection.close()
    os._exit(0)
try:
    os.close(write_end)
    os.wait()
    own = f'{int.from_bytes(bytes([127, 0, 0, 1]), sys.byteorder):08X}:{int(os.read(read_end, 10)):04X}'
    end = time.monotonic() + 30
    while not any(line.split()[1] == own and line.split()[3] == '05' for line in pathlib.Path('/proc/net/tcp').read_text().splitlines()):
        assert time.monotonic() < end, 'the system has not passed the end on'
        time.sleep(0.01)
finally:
    os.kill(daemon, signal.SIGCONT)
'''


class SignIn(ControlSession):
    def setUp(self):
        super().setUp()
        self.configure(one={'start': 'manual'})
        self.start_control()

    def make_link(self, **headers):
        """The path of a new link."""
        answer = self.ask(201, 'POST', 'sign-in-links', **headers)
        self.assertEqual(sorted(answer), ['expires_in', 'url'])
        self.assertGreater(answer['expires_in'], 10)
        prefix = f'http://127.0.0.1:{self.port}'
        self.assertTrue(answer['url'].startswith(f'{prefix}/sign-in/'), answer)
        return answer['url'].removeprefix(prefix)

    def sign_in(self):
        """The cookie, as a browser sends it."""
        answer = self.send('GET', self.make_link())
        self.assertEqual((answer.status, answer.headers['Location'], answer.headers['Cache-Control']), (303, '/', 'no-store'))
        cookie, *attributes = answer.headers['Set-Cookie'].split('; ')
        self.assertEqual(sorted(attributes), ['HttpOnly', 'Path=/', 'SameSite=Strict'])
        self.assertRegex(cookie, rf'^gmcp-dashboard-{self.port}=[0-9a-f]{{64}}$')
        return cookie

    def try_cookie(self, cookie, method='GET', path='status', **headers):
        return self.send(method, ROOT + path, Cookie=cookie, **headers).status

    def test_link(self):
        cookie = self.sign_in()
        self.assertEqual(self.try_cookie(cookie), 200)
        self.assertEqual(self.try_cookie(f'a=b; {cookie}; c=d'), 200)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/start', X_Gmcp_Dashboard='1'), 200)
        # Who is signed in may sign in another browser.
        self.assertEqual(self.try_cookie(cookie, 'POST', 'sign-in-links', X_Gmcp_Dashboard='1'), 201)
        self.assertNotEqual(self.sign_in(), cookie)
        self.assertEqual(self.try_cookie(cookie), 200)

    def test_audit(self):
        """By what a call was let in stands beside it; a header that lets nobody in is no matter."""
        cookie = self.sign_in()
        self.ask(200, 'POST', 'servers/one/start')
        for headers in ({}, {'Authorization': 'Bearer ' + '0' * 64}):
            self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/tools/echo', X_Gmcp_Dashboard='1', **headers), 200)
        self.ask(200, 'POST', 'servers/one/tools/echo')
        wait_until(lambda: len(self.ask(200, 'GET', 'audit')['records']) == 3)
        clients = [entry['client'] for entry in self.ask(200, 'GET', 'audit')['records']]
        door = f'http://127.0.0.1:{self.port}{ROOT}'
        self.assertEqual(sorted(clients), [f'{door} (control-token)'] + [f'{door} (dashboard)'] * 2)

    def test_once(self):
        link = self.make_link()
        self.assertIn('Set-Cookie', self.send('GET', link).headers)
        for path in (link, link + 'x', link[:-1], '/sign-in/', '/sign-in/' + '0' * 64, '/sign-in/x/y'):
            answer = self.send('GET', path)
            self.assertEqual((answer.status, answer.headers['Location'], answer.headers['Set-Cookie']), (303, '/#used', None), path)

    def test_many_links(self):
        """The oldest give way."""
        links = [self.make_link() for _ in range(40)]
        self.assertIsNone(self.send('GET', links[0]).headers['Set-Cookie'])
        self.assertIsNotNone(self.send('GET', links[-1]).headers['Set-Cookie'])

    def test_not_used_up(self):
        """What is no person's opening of a link leaves it."""
        link = self.make_link()
        for method in ('HEAD', 'POST', 'OPTIONS'):
            self.assertEqual(self.send(method, link).status, 405, method)
        self.assertEqual(self.send('GET', link, Sec_Purpose='prefetch;prerender').status, 403)
        self.assertEqual(self.send('GET', link, Host=f'rebound.example:{self.port}').status, 403)
        self.assertEqual(self.send('GET', link, Origin='https://elsewhere.example').status, 403)
        self.assertIn('Set-Cookie', self.send('GET', link).headers)

    def test_cookie_alone(self):
        """A cookie of 127.0.0.1 goes to all ports, and with requests of pages at all ports."""
        cookie = self.sign_in()
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/start'), 403)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/start', X_Gmcp_Dashboard='0'), 403)
        for site in ('same-site', 'cross-site'):
            self.assertEqual(self.try_cookie(cookie, Sec_Fetch_Site=site), 403, site)
        self.assertEqual(self.try_cookie(cookie, Sec_Fetch_Site='none'), 200)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/start', X_Gmcp_Dashboard='1', Sec_Fetch_Site='none'), 403)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/start', X_Gmcp_Dashboard='1', Sec_Fetch_Site='same-origin'), 200)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/stop', X_Gmcp_Dashboard='1', Origin='http://127.0.0.1:1'), 403)
        self.assertEqual(self.try_cookie(cookie, 'POST', 'servers/one/stop', X_Gmcp_Dashboard='1', Host=f'rebound.example:{self.port}'), 403)
        self.assertEqual(self.ask(200, 'GET', 'servers/one')['state'], 'running')

    def test_wrong_cookies(self):
        cookie = self.sign_in()
        name, _, value = cookie.partition('=')
        for wrong in ('', name, f'{name}=', f'{name}={value[:-1]}', f'{name}={value}0', f'other={value}', f'{name}={"0" * 64}', value, ';' * 1000):
            self.assertEqual(self.try_cookie(wrong), 401, wrong[:80])
        self.assertEqual(self.try_cookie(cookie), 200)

    @unittest.skipUnless(os.geteuid() == 0, 'only root can be another user, too')
    def test_another_user(self):
        """One who has got hold of a link or of a cookie."""
        cookie = self.sign_in()
        link = self.make_link()
        for method, path, status in (('GET', ROOT + 'status', 403), ('POST', ROOT + 'servers/one/start', 403), ('GET', link, 403), ('GET', '/', 200)):
            done = subprocess.run(['/usr/bin/python3', '-c', OTHER_USER, str(NOBODY), str(self.port), method, path, cookie],
                                  capture_output=True, text=True, timeout=60, check=True)
            self.assertEqual(int(done.stdout), status, path)
        self.assertIn('Set-Cookie', self.send('GET', link).headers)

    @unittest.skipUnless(os.geteuid() == 0, 'only root can be another user, too')
    def test_another_user_who_is_gone(self):
        """The system does not know whose the request was; the link stays."""
        daemon, = self.daemons()
        link = self.make_link()
        subprocess.run(['/usr/bin/python3', '-c', GONE, str(NOBODY), str(daemon), str(self.port), link], timeout=60, check=True)
        # What came first is served first.
        self.ask(200, 'GET', 'status')
        self.assertIn('Set-Cookie', self.send('GET', link).headers)

    def test_next_daemon(self):
        cookie = self.sign_in()
        self.end_daemon(self.start_control_again())
        self.start_control('--control-port', str(self.port))
        self.assertEqual(self.try_cookie(cookie), 401)

    def start_control_again(self):
        """The daemon of setUp(), which is the only one."""
        pid, = self.daemons()
        os.kill(pid, 15)
        wait_until(lambda: not self.daemons())
        return self.start_control('--control-port', str(self.port))


class Command(ControlSession):
    def gmcp(self, status, *words):
        done = subprocess.run([GMCP, *words], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, f'{words}\n{done.stdout}\n{done.stderr}')
        return done

    def use(self, url):
        """Opens a link as a browser does; whether it signs in."""
        self.port = int(re.fullmatch(r'http://127\.0\.0\.1:(\d+)/sign-in/[0-9a-f]{64}', url)[1])
        answer = self.send('GET', url.partition(f':{self.port}')[2])
        cookie = (answer.headers['Set-Cookie'] or '').partition(';')[0]
        return cookie != '' and self.send('GET', ROOT + 'status', Cookie=cookie).status == 200

    def prepare_browser(self, line):
        """What the desktop opens addresses with."""
        applications = self.home / 'data' / 'applications'
        applications.mkdir(parents=True)
        (applications / 'browser.desktop').write_text(f'[Desktop Entry]\nType=Application\nName=Browser\nExec={line}\n'
                                                      'MimeType=x-scheme-handler/http;\n')
        (applications / 'mimeapps.list').write_text('[Default Applications]\nx-scheme-handler/http=browser.desktop\n')
        (self.home / 'config').mkdir(exist_ok=True)
        shutil.copy(applications / 'mimeapps.list', self.home / 'config')
        self.env.update({'DISPLAY': ':99', 'XDG_DATA_DIRS': str(self.home / 'data'), 'XDG_CONFIG_DIRS': str(self.home / 'config')})


class Socket(Command):
    def test_without_daemon(self):
        self.assertIn('no session daemon', self.gmcp(UNREACHABLE, 'dashboard').stderr)
        self.assertIn('that file', self.gmcp(UNREACHABLE, '--config', str(self.config), 'dashboard').stderr)
        self.assertIn('takes no arguments', self.gmcp(USAGE, 'dashboard', 'one').stderr)

    def test_open_already(self):
        self.start_control()
        port = self.port
        self.assertTrue(self.use(self.gmcp(OK, 'dashboard', '--print').stdout.strip()))
        self.assertEqual(self.port, port)

    def test_opened_for_it(self):
        """The API is off; it is open from then on, and at the same port."""
        daemon = self.start_daemon('--no-bus')
        self.assertTrue(self.use(self.gmcp(OK, 'dashboard', '--print').stdout.strip()))
        port = self.port
        url = self.gmcp(OK, '--config', str(self.config), 'dashboard', '--print').stdout.strip()
        self.assertTrue(self.use(url))
        self.assertEqual(self.port, port)
        self.assertFalse(self.use(url))
        self.assertEqual(self.end_daemon(daemon), 0)

    def test_no_token(self):
        """A token that others can read opens nothing, and the daemon goes on; once it is gone there is another."""
        self.start_daemon('--no-bus', stderr=subprocess.DEVNULL)
        token = self.home / 'state' / 'gmcp' / 'control-token'
        token.parent.mkdir(parents=True, exist_ok=True)
        token.write_text('x' * 64)
        token.chmod(0o644)
        self.assertIn('control-token', self.gmcp(USAGE, 'dashboard', '--print').stderr)
        token.unlink()
        self.assertTrue(self.use(self.gmcp(OK, 'dashboard', '--print').stdout.strip()))

    def test_browser(self):
        self.start_daemon('--no-bus')
        seen = self.home / 'seen'
        browser = self.home / 'browser'
        browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\n')
        browser.chmod(0o755)
        self.prepare_browser(f'{browser} %u')
        self.assertIn('in your browser', self.gmcp(OK, 'dashboard').stdout)
        wait_until(seen.exists)
        self.assertTrue(self.use(seen.read_text(encoding='utf-8').strip()))

    def test_no_browser(self):
        """The link is printed, for one elsewhere."""
        self.start_daemon('--no-bus')
        for name in ('DISPLAY', 'WAYLAND_DISPLAY'):
            self.env.pop(name, None)
        done = self.gmcp(OK, 'dashboard')
        self.assertIn('no display', done.stderr)
        self.assertTrue(self.use(done.stdout.strip()))
        self.prepare_browser('/does/not/exist %u')
        done = self.gmcp(OK, 'dashboard')
        self.assertIn('No browser could be opened', done.stderr)
        self.assertTrue(self.use(done.stdout.strip()))


@unittest.skipUnless(shutil.which('dbus-daemon') and shutil.which('gdbus'), 'dbus-daemon or gdbus is not here')
class Bus(BusSession, Command):
    def test_activation(self):
        self.allow_activation('--config', self.config)
        self.assertTrue(self.use(self.gmcp(OK, 'dashboard', '--print').stdout.strip()))
        url, seconds = json.loads(self.gdbus('OpenDashboard').replace('(', '[').replace(')', ']').replace("'", '"').replace('uint32 ', ''))
        self.assertTrue(self.use(url))
        self.assertGreater(seconds, 10)


if __name__ == '__main__':
    tap.main()
