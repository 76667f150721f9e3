#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

SCHEMA = '{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}'


def count_words(call):
    text = call.dup_string_argument('text')
    call.return_result(Gmcp.ToolResult.new_text(f'{len(text.split())} words'))


loop = GLib.MainLoop()
server = Gmcp.Server.new('words', '1.0', None)
server.add_tool(Gmcp.Tool.new('count_words', 'Counts the words of a text', SCHEMA), count_words)
server.run_stdio_async(None, lambda server, result: loop.quit())
loop.run()
