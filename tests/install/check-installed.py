#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is installed is enough to build and run a host: check-installed.py BUILD SOURCE CC…

Installs into a folder of its own, looks at what is there, and builds tests/bindings/host.c by pkg-config
against nothing else.
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile


def run(*command, **options):
    print('+', shlex.join(str(word) for word in command), flush=True)
    return subprocess.run([str(word) for word in command], check=True, text=True, **options)


def find(root, name):
    found = sorted(root.rglob(name))
    assert found, f'{name} is not installed'
    return found[0]


def check_headers(root):
    headers = [path for path in root.rglob('*.h')]
    assert find(root, 'gmcp.h').parts[-3:] == ('gmcp-1', 'gmcp', 'gmcp.h')
    private = [path.name for path in headers if path.name.endswith('-private.h')]
    assert not private, f'private headers are installed: {private}'


def check_bindings(root, build):
    if (build / 'src' / 'Gmcp-1.typelib').exists():
        assert find(root, 'Gmcp-1.typelib').parent.name == 'girepository-1.0'
        assert find(root, 'Gmcp.py').parts[-3:-1] == ('gi', 'overrides')
        assert find(root, 'Gmcp.js').parts[-3:-1] == ('gjs-1.0', 'overrides')
    if (build / 'src' / 'gmcp-1.vapi').exists():
        assert find(root, 'gmcp-1.vapi').parent.name == 'vapi'


def check_module(module):
    output = run('nm', '-D', '--defined-only', module, stdout=subprocess.PIPE).stdout
    exported = {line.split()[2] for line in output.splitlines()}
    assert exported == {f'g_io_gmcp_tools_{name}' for name in ('load', 'unload', 'query')}, exported


def build_host(root, source, compiler):
    """Builds against the installed files, which are not yet where their .pc file says they will be."""
    pc = find(root, 'gmcp-1.pc')
    text = pc.read_text(encoding='utf-8').splitlines()
    prefix = next(line for line in text if line.startswith('prefix=')).removeprefix('prefix=')
    pc.write_text('\n'.join([f'prefix={root}{prefix}', *text[1:]]) + '\n', encoding='utf-8')
    environment = dict(os.environ, PKG_CONFIG_PATH=str(pc.parent))
    flags = run('pkg-config', '--cflags', '--libs', 'gmcp-1', env=environment, stdout=subprocess.PIPE).stdout
    host = root / 'host'
    run(*compiler, '-Wall', '-Werror', source / 'tests/bindings/host.c', '-o', host, *flags.split())
    return host


def main():
    build, source, *compiler = sys.argv[1:]
    source = pathlib.Path(source)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', root)
        check_headers(root)
        check_bindings(root, pathlib.Path(build))
        module = find(root, 'libgmcp-tools.so')
        check_module(module)
        host = build_host(root, source, compiler)
        environment = dict(
            os.environ,
            LD_LIBRARY_PATH=str(find(root, 'libgmcp-1.so.0').parent),
            GMCP_MODULE_PATH=str(module.parent),
            GMCP_LIBEXEC_DIR=str(find(root, 'gmcp-guard').parent))
        environment.pop('GSETTINGS_SCHEMA_DIR', None)
        run(sys.executable, source / 'tests/bindings/run-host.py', find(root, 'gmcp-tasks'), host, env=environment)


if __name__ == '__main__':
    main()
