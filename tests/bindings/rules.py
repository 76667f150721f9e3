#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host with roles, requirements and questions before calls.

rules.py PYTHON SERVER
"""
import json
import pathlib
import sys
import tempfile

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

temporary = tempfile.TemporaryDirectory(prefix='gmcp-rules-', ignore_cleanup_errors=True)  # until the program ends
folder = pathlib.Path(temporary.name)
config = folder / 'mcp.json'
config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
    'one': {'command': sys.argv[1], 'args': [sys.argv[2], '--tools', 'read,drop,pid']}}}))
loop = GLib.MainLoop()
done = []


def run(start, finish):
    """Waits for one asynchronous function."""
    results = []
    start(lambda source, result: (results.append(result), loop.quit()))
    loop.run()
    return finish(results[0])


def call(name):
    return run(lambda callback: manager.call_tool_json_async(name, '{"a": 1}', None, None, callback),
               manager.call_tool_json_finish).dup_text()


def refused(name):
    try:
        call(name)
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_PERMITTED), error
        return error.message
    raise AssertionError(f'{name} was called')


def on_call_requested(provider, request):
    assert request.get_tool().get_name() == 'one__drop'
    assert json.loads(request.props.arguments_json) == {'a': 1}
    done.append(request.get_rule())
    # The user takes a moment.
    GLib.idle_add(request.allow_once if len(done) < 2 else request.decline)


manager = Gmcp.Manager.new()
manager.set_config_file(config)
assert manager.get_config_file().get_path() == str(config)
manager.props.state_directory = Gmcp.Manager(state_directory=folder / 'state').props.state_directory
manager.add_role(Gmcp.Role.new('careful', ['one.*', 'grep'], ['one.pid']))
manager.add_role(Gmcp.Role(name='closed', allowed_tools=[]))
manager.props.role = 'careful'
manager.props.ask_first = ['*.drop']
run(lambda callback: manager.load_async(None, callback), manager.load_finish)
assert [tool.get_name() for tool in manager.get_tools()] == ['one__read', 'one__drop']
assert call('one.read') == 'read'
assert 'denied-tools: one.pid' in refused('pid')
assert 'nobody to ask' in refused('one__drop')
assert manager.permits_tool(None, 'grep', None)

manager.connect('call-requested', on_call_requested)
assert call('one__drop') == 'drop'
refused('one__drop')
assert done == ['ask-first: *.drop'] * 2, done

manager.props.role = 'closed'
assert manager.get_tools().get_n_items() == 0
manager.props.role = None

needs = Gmcp.Requirements.new(None, ['one', 'two'], ['three'], None)
report = run(lambda callback: manager.check_requirements_async(needs, None, callback),
             manager.check_requirements_finish)
assert report.get_readiness() == Gmcp.Readiness.BLOCKED
assert [need.is_met() for need in report.list_requirements()] == [True, False, False]
try:
    report.may_work()
    raise AssertionError('two is not missing')
except GLib.Error as error:
    assert error.matches(Gmcp.error_quark(), Gmcp.Error.REQUIREMENT_MISSING)

assert [pin.get_status() for pin in manager.list_pins()] == [Gmcp.PinStatus.APPROVED] * 3
assert run(lambda callback: manager.approve_tools_async(None, None, None, callback), manager.approve_tools_finish) == 0
run(lambda callback: manager.close_async(None, callback), manager.close_finish)
