#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Uses the guide's first host as a person would, on a display of its own: run-first-host.py PYTHON SERVER"""
import importlib.util
import json
import pathlib
import sys
import tempfile

import display

PATIENCE_S = 45
HERE = pathlib.Path(__file__).resolve().parent


def load_host():
    spec = importlib.util.spec_from_file_location('first_host', HERE / 'first-host.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def wait_for(condition):
    """Until it is so. Where it never is, what the window says tells why."""
    end = GLib.get_monotonic_time() + PATIENCE_S * 1000000
    alarm = GLib.timeout_add_seconds(PATIENCE_S, lambda: GLib.SOURCE_CONTINUE)
    while not condition():
        assert GLib.get_monotonic_time() < end, f'nothing happens; the window says: {host.result.get_label()}'
        context.iteration(True)
    GLib.source_remove(alarm)


def names():
    tools = host.provider.get_tools()
    return [tool.get_name() for tool in tools]


def activate(name):
    """What a double click on a row does."""
    host.dialog = None
    host.result.set_label('')
    host.list.emit('activate', names().index(name))


def press(label):
    button = host.dialog.buttons.get_first_child()
    while button.get_label() != label:
        button = button.get_next_sibling()
    button.emit('clicked')


def test_form():
    activate('asking__form')
    wait_for(lambda: host.dialog is not None)
    dialog = host.dialog
    rows = {row.field.get_name(): row for row in dialog.rows}
    rows['name'].entry.set_text('A')
    rows['many'].buttons[0].set_active(True)
    press('Answer')
    assert 'Your name' in dialog.problem.get_label(), dialog.problem.get_label()
    assert '\\u001b' not in dialog.get_child().get_first_child().get_label()
    rows['name'].entry.set_text('Ada')
    press('Answer')
    wait_for(host.result.get_label)
    content = json.loads(host.result.get_label())['content']
    assert content == {'name': 'Ada', 'age': 30, 'color': '#f00', 'many': ['x'], 'news': False}, content


def test_close():
    activate('asking__form')
    wait_for(lambda: host.dialog is not None)
    host.dialog.close()
    wait_for(host.result.get_label)
    assert json.loads(host.result.get_label()) == {'action': 'decline'}, host.result.get_label()


def test_address():
    activate('asking__visit')
    wait_for(lambda: host.dialog is not None)
    assert 'http://shop.example/pay' in host.dialog.get_child().get_first_child().get_label()
    press('Decline')
    wait_for(host.result.get_label)
    assert json.loads(host.result.get_label()) == {'action': 'decline'}, host.result.get_label()


def test_consent():
    host.provider.props.ask_first = ['asking.capabilities']
    activate('asking__capabilities')
    wait_for(lambda: host.dialog is not None)
    press('No')
    wait_for(host.result.get_label)
    assert 'elicitation' not in host.result.get_label(), host.result.get_label()
    activate('asking__capabilities')
    wait_for(lambda: host.dialog is not None)
    press('Once')
    wait_for(host.result.get_label)
    assert 'elicitation' in json.loads(host.result.get_label()), host.result.get_label()


screen = display.start()
try:
    try:
        first_host = load_host()
    except (ImportError, ValueError) as error:
        print(f'GTK 4 is not here: {error}')
        sys.exit(display.SKIP)
    from gi.repository import Gio, GLib

    context = GLib.MainContext.default()
    with tempfile.TemporaryDirectory(prefix='gmcp-first-host-') as folder:
        config = pathlib.Path(folder) / 'mcp.json'
        config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {'asking': {'command': sys.argv[1], 'args': [sys.argv[2]]}}}))
        host = first_host.Host(Gio.File.new_for_path(str(config)))
        host.register(None)
        host.activate()
        wait_for(lambda: 'asking__form' in names())
        for test in (test_form, test_close, test_address, test_consent):
            test()
            print(f'ok - {test.__name__}')
        host.window.destroy()
finally:
    screen.terminate()
    screen.wait()
