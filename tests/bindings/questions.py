#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host that answers what servers ask.

questions.py PYTHON SERVER
"""
import json
import pathlib
import sys
import tempfile

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp

temporary = tempfile.TemporaryDirectory(prefix='gmcp-questions-', ignore_cleanup_errors=True)  # until the program ends
config = pathlib.Path(temporary.name) / 'mcp.json'
config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
    'asking': {'command': sys.argv[1], 'args': [sys.argv[2]], 'allowSampling': True}}}))
loop = GLib.MainLoop()
kept = []
answers = {}


def answer_later(elicitation):
    """The user takes a moment, and makes a mistake first."""
    fields = {field.get_name(): field for field in elicitation.get_fields()}
    assert fields['name'].get_kind() == Gmcp.ElicitationFieldKind.STRING
    assert fields['color'].get_option_titles() == ['Red', 'Green']
    assert json.loads(fields['age'].dup_default_json()) == 30
    assert fields['age'].get_minimum() == (True, 18.0)
    try:
        elicitation.accept_json('{"name": "A", "color": "#f00", "many": ["x"]}')
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT) and 'Your name (name)' in error.message
    assert elicitation.is_open()
    elicitation.accept_json('{"name": "Ada", "color": "#f00", "many": ["x"]}')
    kept.remove(elicitation)
    return GLib.SOURCE_REMOVE


def on_input_requested(provider, request):
    assert request.get_server_name() == 'asking'
    if isinstance(request, Gmcp.Sampling):
        text = request.get_messages()[0].get_contents()[0].get_text()
        request.accept_text(f'{text} 42', 'model', 'endTurn')
    elif request.get_mode() == Gmcp.ElicitationMode.URL:
        assert request.get_url_host() == 'shop.example'
        request.decline()
    else:
        kept.append(request)
        GLib.idle_add(answer_later, request)


def on_called(provider, result, name):
    answers[name] = json.loads(provider.call_tool_json_finish(result).dup_text())
    if len(answers) == 3:
        loop.quit()


def on_loaded(provider, result):
    provider.load_finish(result)
    for name in ('form', 'think', 'visit'):
        provider.call_tool_json_async(f'asking__{name}', None, None, None, on_called, name)


def test_roots():
    roots = Gio.ListStore(item_type=Gmcp.Root)
    roots.append(Gmcp.Root.new_for_file(Gio.File.new_for_path('/srv'), 'Work'))
    ends = Gmcp.memory_transport_new_pair()
    client = Gmcp.Client.new(ends[0])
    client.set_roots(roots)
    assert client.props.roots.get_item(0).props.uri == 'file:///srv'
    client.props.allow_sampling = True
    client.props.input_timeout_ms = 1000


provider = Gmcp.load_tool_providers(None, Gio.File.new_for_path(str(config)))[0]
provider.connect('input-requested', on_input_requested)
provider.load_async(None, on_loaded)
loop.run()
assert answers['form']['content'] == {'name': 'Ada', 'age': 30, 'color': '#f00', 'many': ['x'], 'news': False}, answers
assert answers['think']['content']['text'] == '6 × 7? 42', answers
assert answers['visit'] == {'action': 'decline'}, answers
test_roots()
