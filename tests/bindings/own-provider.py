#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A tool provider of two functions, written in Python, alone and in a registry."""

import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp


class WordProvider(GObject.Object, Gmcp.ToolProvider):
    def __init__(self):
        super().__init__()
        self.tools = Gio.ListStore(item_type=Gmcp.Tool)
        self.tools.append(Gmcp.Tool.new_from_json(json.dumps({
            'name': 'count_words',
            'inputSchema': {'type': 'object', 'properties': {'text': {'type': 'string'}}},
        })))

    def do_get_tools(self):
        return self.tools

    def do_call_tool(self, call):
        words = json.loads(call.get_arguments_json())['text'].split()
        call.return_result(Gmcp.ToolResult.new_text(f'{len(words)} words'))


def wait_for(begin, finish, *arguments):
    """What an asynchronous function gives in the end."""
    loop = GLib.MainLoop()
    results = []

    def on_end(_provider, result):
        results.append(result)
        loop.quit()

    begin(*arguments, on_end)
    if not results:
        loop.run()
    return finish(results[0])


def load(provider):
    return wait_for(provider.load_async, provider.load_finish, None)


def call(provider, name, arguments, options=None, cancellable=None):
    return wait_for(provider.call_tool_json_async, provider.call_tool_json_finish,
                    name, json.dumps(arguments), options, cancellable)


def close(provider):
    return wait_for(provider.close_async, provider.close_finish, None)


def check_provider(provider):
    assert load(provider)
    assert [tool.get_name() for tool in provider.get_tools()] == ['count_words']
    assert json.loads(provider.dup_tools_json(Gmcp.ToolsFormat.OPENAI))[0]['function']['name'] == 'count_words'
    assert call(provider, 'count_words', {'text': 'to be or not'}).dup_text() == '4 words'
    assert provider.find_tool('count_words').get_name() == 'count_words'
    assert provider.dup_instructions() is None
    try:
        provider.find_tool('none')
        assert False, 'there is no such tool'
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.UNKNOWN_TOOL), error
    assert close(provider)


def main():
    check_provider(WordProvider())

    registry = Gmcp.ToolRegistry()
    registry.add_provider('words', WordProvider())
    check_provider(registry)
    registry.remove_provider('words')
    assert not list(registry.get_tools())


if __name__ == '__main__':
    # Nothing may be warned of.
    GLib.log_set_always_fatal(GLib.LogLevelFlags.LEVEL_WARNING | GLib.LogLevelFlags.LEVEL_CRITICAL)
    sys.exit(main())
