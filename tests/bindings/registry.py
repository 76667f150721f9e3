#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host with a tool of its own beside those of a server, which gives its model three tools for all.

registry.py PYTHON SERVER
"""
import json
import pathlib
import sys
import tempfile

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

temporary = tempfile.TemporaryDirectory(prefix='gmcp-registry-', ignore_cleanup_errors=True)  # until the program ends
config = pathlib.Path(temporary.name) / 'mcp.json'
config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
    'one': {'command': sys.argv[1], 'args': ['-S', sys.argv[2], '--tools', 'echo,env']}}}))
loop = GLib.MainLoop()


def count_words(call, *data):
    """An answer may come later, as that of a real tool does."""
    text = json.loads(call.get_arguments_json())['text']

    def answer():
        call.return_result(Gmcp.ToolResult.new_text(f'{len(text.split())} words'))
        return GLib.SOURCE_REMOVE

    GLib.idle_add(answer)


def wait(start, finish, *arguments):
    """Starts what takes time, and gives its result."""
    results = []

    def on_done(source, result):
        results.append(result)
        loop.quit()

    start(*arguments, on_done)
    loop.run()
    return finish(results[0])


def call(provider, tool, /, **arguments):
    return wait(provider.call_tool_json_async, provider.call_tool_finish, tool, json.dumps(arguments), None, None)


def search(provider, query, detail=Gmcp.ToolDetail.NAME):
    return wait(provider.search_async, provider.search_finish, query, 5, detail, None)


registry = Gmcp.ToolRegistry.new()
manager = Gmcp.Manager(config_file=str(config))
registry.add_provider('servers', manager)
notices = []
registry.connect('notice', lambda _registry, server, level, message: notices.append((server, level, message)))
registry.add_function('count_words', 'Counts the words of a text', json.dumps({
    'type': 'object', 'properties': {'text': {'type': 'string'}}, 'required': ['text']}), count_words)
assert wait(registry.load_async, registry.load_finish, None)
names = [tool.get_name() for tool in registry.get_tools()]
assert names == ['count_words', 'one__echo', 'one__env'], names
assert ('one', Gmcp.NoticeLevel.INFO) in [(server, level) for server, level, _message in notices], notices

assert call(registry, 'count_words', text='to be or not').dup_text() == '4 words'
assert call(registry, 'count_words', txt='to be').is_error()
assert 'hello' in call(registry, 'one__echo', text='hello').dup_text()

matches = search(registry, 'words of a text?')
assert matches[0].get_tool().get_name() == 'count_words' and matches[0].get_score() > 0
assert json.loads(matches[0].dup_json()) == {'name': 'count_words'}
assert search(registry, 'echo "')[0].get_tool().get_name() == 'one__echo'

meta = Gmcp.MetaTools.new(registry)
assert [tool.get_name() for tool in meta.get_tools()] == ['search_tools', 'get_tool_details', 'call_tool']
found = json.loads(call(meta, 'search_tools', query='count').dup_structured_content_json())
assert found['tools'][0]['arguments'] == ['text'], found
details = json.loads(call(meta, 'get_tool_details', name='count_words').dup_structured_content_json())
assert details['inputSchema']['required'] == ['text'], details
assert call(meta, 'call_tool', name='count_words', arguments={'text': 'a b'}).dup_text() == '2 words'

assert registry.remove_tool('count_words')
assert search(registry, 'words') == []
assert wait(manager.close_async, manager.close_finish, None)
