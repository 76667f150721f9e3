# SPDX-License-Identifier: LGPL-2.1-or-later
"""Resources, prompts, completion and log messages from Python: features.py SERVER"""
import sys

import gi

gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp  # noqa: E402

loop = GLib.MainLoop()


def wait(start, *args):
    """Calls start_async and gives what the callback got."""
    results = []

    def on_done(_source, result):
        results.append(result)
        loop.quit()

    start(*args, on_done)
    loop.run()
    return results[0]


transport = Gmcp.StdioTransport.new([sys.executable, sys.argv[1]])
client = Gmcp.Client.new(transport)
logged = []
client.connect('log-message', lambda _client, message: logged.append((message.get_level(), message.dup_text())))
assert client.open_finish(wait(client.open_async, None))
assert client.set_log_level_finish(wait(client.set_log_level_async, Gmcp.LogLevel.NOTICE, None, None))

resources = client.list_resources_finish(wait(client.list_resources_async, None))
assert [resource.get_uri() for resource in resources] == ['mem:text', 'mem:bytes', 'mem:parts', 'mem:escape']
text = resources[0]
assert text.props.size == 9 and text.dup_annotations().is_for(Gmcp.MessageRole.USER)
assert [icon.get_src() for icon in text.list_icons()] == ['https://example.org/t.png']
assert list(text.list_icons()[0].get_sizes()) == ['48x48']

page, cursor = client.list_resources_page_finish(wait(client.list_resources_page_async, None, None, None))
assert len(page) == 2 and cursor == '2'

result = client.read_resource_finish(wait(client.read_resource_async, 'mem:bytes', None, None))
assert result.get_contents(0).get_bytes().get_data() == bytes(range(256))
template = client.list_resource_templates_finish(wait(client.list_resource_templates_async, None))[0]
assert template.list_variables() == ['name', 'part']
uri = template.expand_json('{"name": "a b"}')
assert uri == 'mem:note/a%20b'
result = client.read_resource_finish(wait(client.read_resource_async, uri, None, None))
assert result.get_contents(0).get_text() == 'the note mem:note/a%20b'
try:
    client.read_resource_finish(wait(client.read_resource_async, 'mem:nope', None, None))
    raise AssertionError('there is no such resource')
except GLib.Error as error:
    assert error.matches(Gmcp.rpc_error_quark(), -32002), error

prompts = client.list_prompts_finish(wait(client.list_prompts_async, None))
assert prompts[0].get_argument(0).get_name() == 'code' and prompts[0].get_argument(0).is_required()
prompt = client.get_prompt_finish(wait(client.get_prompt_async, 'review', {'code': 'x'}, None, None))
assert prompt.get_message(0).get_content(0).get_text() == 'Look at x'
completion = client.complete_finish(wait(client.complete_async, Gmcp.CompletionKind.PROMPT, 'review', 'code', 'py',
                                         {'style': 'long'}, None, None))
assert completion.get_values() == ['python', 'pytorch'] and completion.get_total() == 3

client.get_prompt_finish(wait(client.get_prompt_async, 'grow', None, None, None))
resources.connect('items-changed', lambda *_args: loop.quit())
loop.run()
assert resources[4].get_uri() == 'mem:new' and resources[0] == text

client.read_resource_finish(wait(client.read_resource_async, 'mem:note/x:error', None, None))
assert logged == [(Gmcp.LogLevel.ERROR, '{"read": "mem:note/x:error"}')], logged
assert client.close_finish(wait(client.close_async, None))
