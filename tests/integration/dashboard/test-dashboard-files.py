#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The files of the dashboard, as gmcpd serves them: test-dashboard-files.py GMCPD MANAGED_SERVER"""
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / 'daemon')]
from control import ControlSession  # noqa: E402
from session import Session  # noqa: E402
import tap  # noqa: E402

Session.gmcpd, Session.server = map(os.path.abspath, sys.argv[1:3])
SOURCE = HERE.parents[2] / 'data' / 'dashboard'
TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml'}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; "
          "base-uri 'none'; frame-ancestors 'none'")


class Files(ControlSession):
    def setUp(self):
        super().setUp()
        self.configure(one={'start': 'manual'})
        self.start_control()

    def test_every_file(self):
        names = [file.text for file in ET.parse(SOURCE / 'gmcpd-dashboard.gresource.xml').iter('file')]
        self.assertEqual(sorted(names), sorted(path.name for path in SOURCE.iterdir() if path.suffix in TYPES))
        for name in names:
            answer = self.send('GET', f'/{name}')
            self.assertEqual((answer.status, answer.type), (200, TYPES[pathlib.Path(name).suffix]), name)
            self.assertEqual(answer.body, (SOURCE / name).read_bytes(), name)
            self.assertEqual(answer.headers['Content-Security-Policy'], POLICY)
            self.assertEqual(answer.headers['X-Content-Type-Options'], 'nosniff')
            self.assertEqual(answer.headers['Referrer-Policy'], 'no-referrer')
        self.assertEqual(self.send('GET', '/').body, (SOURCE / 'index.html').read_bytes())
        self.assertEqual(self.send('GET', '/?code=1').body, (SOURCE / 'index.html').read_bytes())

    def test_nothing_from_elsewhere(self):
        """What the files refer to is among them; nothing is inline."""
        page = (SOURCE / 'index.html').read_text(encoding='utf-8')
        self.assertNotRegex(page, r'(?i)<style|style=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)')
        for reference in re.findall(r'(?:src|href)="([^"#]+)"', page):
            self.assertTrue((SOURCE / reference.lstrip('/')).is_file(), reference)
        for script in SOURCE.glob('*.js'):
            text = script.read_text(encoding='utf-8')
            self.assertNotRegex(text, r'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function', script.name)
            for module in re.findall(r"from '([^']+)'", text):
                self.assertTrue((SOURCE / module).is_file(), f'{script.name}: {module}')
        self.assertNotRegex((SOURCE / 'dashboard.css').read_text(encoding='utf-8'), r'url\(|@import')

    def test_kept_by_the_browser(self):
        first = self.send('GET', '/dashboard.js')
        self.assertEqual(first.headers['Cache-Control'], 'no-cache')
        again = self.send('GET', '/dashboard.js', If_None_Match=first.headers['ETag'])
        self.assertEqual((again.status, again.body), (304, b''))
        self.assertEqual(self.send('GET', '/dashboard.js', If_None_Match='"other"').status, 200)
        self.assertNotEqual(self.send('GET', '/dashboard.css').headers['ETag'], first.headers['ETag'])

    def test_refused(self):
        for method in ('POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'):
            answer = self.send(method, '/', b'x=1' if method == 'POST' else None)
            self.assertEqual((answer.status, answer.headers['Allow']), (405, 'GET, HEAD'), method)
        head = self.send('HEAD', '/')
        self.assertEqual((head.status, head.body), (200, b''))
        for host in (f'gmcp.example:{self.port}', '127.0.0.1', 'localhost:1'):
            self.assertEqual(self.send('GET', '/', Host=host).status, 403, host)
        self.assertEqual(self.send('GET', '/dashboard.js', Origin='https://elsewhere.example').status, 403)
        self.assertEqual(self.send('GET', '/dashboard.js', Origin='null').status, 403)
        for path in ('/dashboard', '/index.html/', '//index.html', '/gmcpd-dashboard.gresource.xml', '/org/gmcp'):
            self.assertEqual(self.send('GET', path).status, 401, path)
        self.assertEqual(self.send('GET', '/api/v1/mcp/status').status, 401)


if __name__ == '__main__':
    tap.main()
