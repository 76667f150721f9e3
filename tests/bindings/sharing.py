#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program that does what gmcpd does: its servers are offered to the user's other programs, and one of those uses them.

sharing.py PYTHON SERVER
"""
import json
import os
import pathlib
import sys
import tempfile

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

temporary = tempfile.TemporaryDirectory(prefix='gmcp-sharing-', ignore_cleanup_errors=True)  # until the program ends
folder = pathlib.Path(temporary.name)
runtime = folder / 'run'
runtime.mkdir(mode=0o700)
os.environ['XDG_RUNTIME_DIR'] = str(runtime)
assert GLib.get_user_runtime_dir() == str(runtime)
config = folder / 'mcp.json'
loop = GLib.MainLoop()


def configure(*ids):
    config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
        name: {'command': sys.argv[1], 'args': [sys.argv[2], '--tools', 'read,pid'], 'env': {'NAME': name}, 'share': 'yes'}
        for name in ids}}))


def run(start, finish):
    """Waits for one asynchronous function."""
    results = []
    start(lambda source, result: (results.append(result), loop.quit()))
    loop.run()
    return finish(results[0])


def make_manager(name):
    manager = Gmcp.Manager(state_directory=Gio.File.new_for_path(str(folder / name)))
    manager.set_config_file(config)
    run(lambda callback: manager.load_async(None, callback), manager.load_finish)
    return manager


def call(manager, name):
    return run(lambda callback: manager.call_tool_json_async(name, '{}', None, None, callback),
               manager.call_tool_json_finish).dup_text()


def start(manager, name):
    server = manager.get_server(name)
    run(lambda callback: server.start_async(None, callback), server.start_finish)
    return server


def close_twice(point):
    """The second one is told that the first is at work; both end."""
    ends = []

    def on_closed(point, result):
        try:
            ends.append(point.close_finish(result))
        except GLib.Error as error:
            ends.append(error)
        if len(ends) == 2:
            loop.quit()

    point.close_async(None, on_closed)
    try:
        point.open()
    except GLib.Error as error:
        assert error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.PENDING), error
    else:
        raise AssertionError('opened while it was being closed')
    point.close_async(None, on_closed)
    loop.run()
    [refused] = [end for end in ends if end is not True]
    assert refused.matches(Gio.io_error_quark(), Gio.IOErrorEnum.PENDING), refused


configure('one', 'two')
offering = make_manager('offering')
assert offering.props.share == Gmcp.Share.AUTO
point = Gmcp.SharePoint.new(offering)
assert point.props.manager == point.get_manager() == offering
assert point.list_server_ids() == []
assert point.open() and point.open()
assert point.list_server_ids() == ['one', 'two']

# Another program of the user, whose server is the same: it has no process of its own.
host = make_manager('host')
server = start(host, 'one')
assert server.props.shared and server.is_shared() and server.get_pid() == 0
assert not offering.get_server('one').props.shared
assert json.loads(call(host, 'one__pid')) == offering.get_server('one').get_pid() != 0

close_twice(point)
assert point.list_server_ids() == []
assert point.open()
assert point.list_server_ids() == ['one', 'two']
run(lambda callback: point.close_async(None, callback), point.close_finish)

try:
    Gmcp.SharePoint().open()
except GLib.Error as error:
    assert error.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT), error
else:
    raise AssertionError('nothing is offered without a manager')

for manager in (host, offering):
    run(lambda callback: manager.close_async(None, callback), manager.close_finish)
