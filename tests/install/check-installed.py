#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is installed is enough to build and run a host: check-installed.py BUILD SOURCE CC…

Installs into a folder of its own, looks at what is there, and builds tests/bindings/host.c by pkg-config
against nothing else.
"""
import fcntl
import os
import pathlib
import shlex
import shutil
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
        assert find(root, 'Gmcp-1.gir').parent.name == 'gir-1.0'
        assert find(root, 'Gmcp.py').parts[-3:-1] == ('gi', 'overrides')
        assert find(root, 'Gmcp.js').parts[-3:-1] == ('gjs-1.0', 'overrides')
    if (build / 'src' / 'gmcp-1.vapi').exists():
        assert find(root, 'gmcp-1.vapi').parent.name == find(root, 'gmcp-1.deps').parent.name == 'vapi'


def check_desktop(root):
    assert find(root, 'org.gmcp.gmcp.desktop').parent.name == 'applications'
    assert find(root, 'org.gmcp.gmcp.metainfo.xml').parent.name == 'metainfo'
    assert find(root, 'org.gmcp.gmcp.svg').parts[-4:-1] == ('hicolor', 'scalable', 'apps')


def check_pages(root):
    """Manual pages and completion, and what systemd and D-Bus start."""
    for name in ('gmcp.1', 'gmcpd.1', 'gmcpd.service', 'gmcpd.socket', 'gmcpd-gateway.socket', 'org.gmcp.Manager1.service',
                 'org.gmcp.Tools1.service', 'org.gmcp.Manager1.xml', 'org.gmcp.Tools1.xml', '_gmcp', 'gmcp.fish'):
        find(root, name)
    assert [path for path in root.rglob('gmcp') if path.parent.name == 'completions'], 'what completes in bash is not installed'
    if list(root.rglob('gmcp-tasks')):
        for name in ('gmcp-tasks.1', 'gmcp-tasks.service', 'gmcp-tasks.socket'):
            find(root, name)
    for language in ('de', 'zh_CN'):
        assert [path for path in root.rglob('gmcp-1.mo') if language in path.parts], f'the texts in {language} are not installed'


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


BUS = """<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><servicedir>{folder}</servicedir>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


def check_units(root):
    """What starts gmcpd starts a program that is there."""
    program = '/' + str(find(root, 'gmcpd').relative_to(root))
    texts = [find(root, name).read_text(encoding='utf-8')
             for name in ('org.gmcp.Manager1.service', 'org.gmcp.Tools1.service', 'gmcpd.service')]
    for text in texts:
        assert f'"{program}"' in text, text
    find(root, 'gmcpd.socket')
    find(root, 'org.gmcp.Manager1.xml')
    return [text.replace(f'"{program}"', f'"{root}{program}"') for text in texts[:2]]


def check_activation(root, services, environment):
    """A session bus starts the daemon from there."""
    if not all(map(shutil.which, ('dbus-daemon', 'gdbus'))):
        return
    folder = root / 'session'
    folder.mkdir(mode=0o700)
    for number, text in enumerate(services):
        (folder / f'{number}.service').write_text(text, encoding='utf-8')
    (folder / 'bus.conf').write_text(BUS.format(folder=folder), encoding='utf-8')
    environment = dict(environment, DBUS_SESSION_BUS_ADDRESS=f'unix:path={folder}/bus', XDG_RUNTIME_DIR=str(folder),
                       XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(folder), GSETTINGS_BACKEND='memory',
                       GSETTINGS_SCHEMA_DIR=str(find(root, 'gschemas.compiled').parent))
    bus = subprocess.Popen(['dbus-daemon', f'--config-file={folder}/bus.conf', '--nofork', '--print-address'],
                           env=environment, stdout=subprocess.PIPE)
    try:
        bus.stdout.readline()
        for name, method in (('Manager1', 'GetStatus'), ('Tools1', 'ListTools')):
            run('gdbus', 'call', '--session', '--dest', f'org.gmcp.{name}', '--object-path', f'/org/gmcp/{name}',
                '--method', f'org.gmcp.{name}.{method}', env=environment)
    finally:
        # The daemon ends with its bus.
        bus.terminate()
        bus.communicate()
    lock = folder / 'gmcp' / 'gmcpd.lock'
    with lock.open(encoding='utf-8') as file:
        fcntl.flock(file, fcntl.LOCK_EX)


def main():
    build, source, *compiler = sys.argv[1:]
    source = pathlib.Path(source)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', root)
        check_headers(root)
        check_desktop(root)
        check_pages(root)
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
        check_activation(root, check_units(root), environment)
        run(sys.executable, source / 'tests/bindings/run-host.py', find(root, 'gmcp-tasks'), host, env=environment)


if __name__ == '__main__':
    main()
