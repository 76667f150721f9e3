#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Debian packages of data/packaging: built, looked at by lintian, and installed, used and purged in a root of their own:
test-packaging.py SOURCE_FOLDER"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'integration'))
import tap

SOURCE = pathlib.Path(sys.argv[1]).resolve()
NEEDED = ('dpkg-buildpackage', 'dh', 'dh_girepository', 'dh_python3', 'lintian', 'mmdebstrap')
# What is packaged does not depend on how well it is optimised, nor on the compiler.
BUILD_ENV = {'DEB_BUILD_OPTIONS': f'nocheck noautodbgsym noopt parallel={os.cpu_count()}', 'DEB_CFLAGS_STRIP': '-g', 'LC_ALL': 'C.UTF-8'}
# What the packages depend on: the root has no network.
DEPENDENCIES = ('dbus', 'dconf-gsettings-backend', 'gir1.2-json-1.0', 'init-system-helpers', 'libjson-glib-1.0-0', 'libpq5', 'libsoup-3.0-0',
                'libsqlite3-0', 'python3-gi', 'sensible-utils')
# Modules of a few lines need nothing of the C library where they are compiled as in the build folder, which hardens nothing.
UNHARDENED = re.compile(r'E: libgmcp-1-0: library-not-linked-against-libc \[usr/lib/.*/gmcp-1/modules/.*\.so\]')
CONFIG = {'mcpServers': {'list': {'command': 'gmcp-tasks'}}}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', check=False, **more)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix='gmcp-packaging-'))
        cls.folder.chmod(0o755)
        cls.root = cls.folder / 'root'
        source = cls.folder / 'gmcp'
        shutil.copytree(SOURCE, source, symlinks=True, ignore=lambda folder, names: [
            name for name in names if folder == str(SOURCE) and name.startswith(('build', '.'))])
        shutil.copytree(SOURCE / 'data' / 'packaging' / 'debian', source / 'debian')
        # What stands before the system's programs on a developer's machine does not stand there when packages are built.
        env = {**{name: value for name, value in os.environ.items() if not name.startswith(('XDG_', 'G_', 'GMCP_', 'GSETTINGS_', 'LD_'))}, **BUILD_ENV,
               'PATH': '/usr/sbin:/usr/bin:/sbin:/bin', 'HOME': str(cls.folder)}
        cls.is_cached = shutil.which('ccache') is not None
        if cls.is_cached:
            # Compiled as in the build folder, whose cache then has most of it; the folder is another each time.
            env |= {'CC': 'ccache cc', 'CCACHE_DIR': os.environ.get('CCACHE_DIR', os.path.expanduser('~/.cache/ccache')), 'CCACHE_BASEDIR': str(source),
                    'CCACHE_NOHASHDIR': '1', 'CCACHE_DEPEND': '1', 'CCACHE_SLOPPINESS': 'locale', **{f'DEB_{kind}FLAGS_SET': '' for kind in ('C', 'CPP', 'CXX')}}
            cls.replace_in_rules(source, ' -Dtests=false ', ' -Dtests=false --buildtype=debugoptimized -Dwerror=true ')
        elif shutil.which('clang', path=env['PATH']):
            # With a precompiled header and large pages of memory it is the quicker one.
            env |= {'CC': 'clang', 'GLIBC_TUNABLES': 'glibc.malloc.hugetlb=1'}
            cls.replace_in_rules(source, ' -Dtests=false ', ' -Dtests=false -Db_pch=true ')
        cls.built = run('dpkg-buildpackage', '-us', '-uc', '-b', cwd=source, env=env)

    @staticmethod
    def replace_in_rules(source, words, by):
        rules = source / 'debian' / 'rules'
        text = rules.read_text(encoding='utf-8')
        assert words in text
        rules.write_text(text.replace(words, by), encoding='utf-8')

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def check_run(self, *command, **more):
        result = run(*command, **more)
        self.assertEqual(result.returncode, 0, f'{command}: {result.stdout[-6000:]}')
        return result.stdout

    def inside(self, *command, status=0):
        """In the root, as a user of it. The daemon looks at who calls it, in /proc, which is there for this process alone."""
        result = run('unshare', '--mount', 'sh', '-c', 'mount --rbind /proc "$0/proc" && exec chroot --userspec=1000:1000 "$0" "$@"', self.root,
                     'env', '-i', 'HOME=/home/user', 'PATH=/usr/bin:/bin', 'LANG=C.UTF-8',
                     'XDG_RUNTIME_DIR=/home/user/run', *command)
        self.assertEqual(result.returncode, status, f'{command}: {result.stdout[-6000:]}')
        return result.stdout

    def list_packages(self):
        return sorted(self.folder.glob('*.deb'))

    def test_1_build(self):
        self.assertEqual(self.built.returncode, 0, self.built.stdout[-6000:])
        names = {path.name.split('_')[0] for path in self.list_packages()}
        self.assertEqual(names, {'libgmcp-1-0', 'gmcp-common', 'gir1.2-gmcp-1', 'python3-gmcp', 'libgmcp-dev', 'gmcp', 'gmcpd', 'gmcp-tasks'})
        # Nothing that is installed is left out.
        self.assertNotIn('not installed to anywhere', self.built.stdout)

    def test_2_lintian(self):
        # There is no bug of Debian's that asks for the packages.
        found = run('lintian', *(['--allow-root'] if os.getuid() == 0 else []), '--fail-on', 'error,warning',
                    '--suppress-tags', 'initial-upload-closes-no-bugs', *self.folder.glob('*.changes'))
        expected = UNHARDENED if self.is_cached else re.compile(r'(?!)')
        self.assertEqual([line for line in found.stdout.splitlines() if not expected.fullmatch(line)], [])
        self.assertIn(found.returncode, (0, 2) if self.is_cached else (0,))

    def make_root(self):
        if os.getuid() != 0:
            self.skipTest('only root makes a root')
        made = run('mmdebstrap', '--variant=minbase', '--mode=root', f'--include={",".join(DEPENDENCIES)}', self.find_suite(), self.root)
        if made.returncode != 0:
            self.skipTest(f'mmdebstrap: {made.stdout.strip().splitlines()[-1]}')
        with (self.root / 'etc/passwd').open('a', encoding='utf-8') as file:
            file.write('user:x:1000:1000::/home/user:/bin/sh\n')
        home = self.root / 'home/user'
        (home / 'run').mkdir(parents=True, mode=0o700)
        for path in (home, home / 'run'):
            os.chown(path, 1000, 1000)

    @staticmethod
    def find_suite():
        for line in pathlib.Path('/etc/os-release').read_text(encoding='utf-8').splitlines():
            if line.startswith('VERSION_CODENAME='):
                return line.partition('=')[2].strip('"')
        return 'stable'

    def dpkg(self, *words):
        return self.check_run('chroot', self.root, 'env', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C.UTF-8', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
                              'dpkg', *words)

    def list_files(self):
        found = self.check_run('find', self.root, '-xdev', '-iname', '*gmcp*', '-not', '-path', '*/var/cache/*', '-not', '-path', '*/tmp/*',
                               '-not', '-path', '*/home/*', '-not', '-path', '*/proc/*', '-not', '-path', '*/var/log/*')
        return sorted(found.split())

    def test_3_install_use_and_purge(self):
        self.make_root()
        packages = self.root / 'tmp'
        names = [path.name for path in self.list_packages() if not path.name.startswith('libgmcp-dev')]
        for name in names:
            shutil.copy(self.folder / name, packages)
        self.dpkg('--install', *(f'/tmp/{name}' for name in names))
        config = self.root / 'home/user/mcp.json'
        config.write_text(json.dumps(CONFIG), encoding='utf-8')
        gmcp = ('gmcp', '--config', '/home/user/mcp.json')
        self.assertRegex(self.inside('gmcp', '--version'), r'0\.1\.0')
        self.assertIn('create_task', self.inside(*gmcp, 'tools'))
        self.inside(*gmcp, 'call', 'list.create_task', '{"title": "packaged"}')
        self.assertIn('packaged', self.inside(*gmcp, 'call', 'list.list_tasks'))
        # The bus starts the daemon, which has what the settings of the session say.
        activated = self.inside('dbus-run-session', '--', 'dbus-send', '--session', '--print-reply', '--dest=org.gmcp.Manager1', '/org/gmcp/Manager1',
                                'org.gmcp.Manager1.GetStatus')
        self.assertIn('total_running', activated)
        self.assertEqual(self.inside('python3', '-c', 'import gi; gi.require_version("Gmcp", "1"); from gi.repository import Gmcp; '
                                     'import gi.overrides.Gmcp as added; Gmcp.Manager(); print(added.__file__)'),
                         '/usr/lib/python3/dist-packages/gi/overrides/Gmcp.py\n')
        for path in ('usr/share/man/man1/gmcp.1.gz', 'usr/share/bash-completion/completions/gmcp', 'usr/lib/systemd/user/gmcpd.socket',
                     'usr/share/dbus-1/services/org.gmcp.Manager1.service', 'usr/share/glib-2.0/schemas/org.gmcp.gschema.xml'):
            self.assertTrue((self.root / path).exists(), path)
        self.assertIn(b'org.gmcp', (self.root / 'usr/share/glib-2.0/schemas/gschemas.compiled').read_bytes())
        self.dpkg('--purge', *(name.split('_')[0] for name in names))
        self.assertEqual(self.list_files(), [])
        self.assertNotIn(b'org.gmcp', (self.root / 'usr/share/glib-2.0/schemas/gschemas.compiled').read_bytes())


if __name__ == '__main__':
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        print(f'1..0 # SKIP {missing[0]} is not installed; ./dev test --full installs it')
        sys.exit(0)
    tap.main()
