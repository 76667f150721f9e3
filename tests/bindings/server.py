#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import json

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

COUNT_WORDS = {
    'name': 'count_words',
    'description': 'Counts the words of a text',
    'inputSchema': {'type': 'object', 'properties': {'text': {'type': 'string'}}, 'required': ['text']},
}


def count_words(server, request):
    text = json.loads(request.get_arguments_json())['text']
    request.return_result(Gmcp.ToolResult.new_text(f'{len(text.split())} words'))


loop = GLib.MainLoop()
server = Gmcp.Server.new('words', '1.0')
server.add_tool(Gmcp.Tool.new_from_json(json.dumps(COUNT_WORDS)), count_words)
server.run_stdio_async(None, lambda server, result: loop.quit())
loop.run()
