#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server of a provider with tools, resources and prompts of its own."""

import json

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp

TEXT = '{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}'
FORM = '{"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}'


class Notes(GObject.Object, Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider):
    def __init__(self):
        super().__init__()
        self.notes = {'note:1': 'one'}
        self.tools = Gio.ListStore(item_type=Gmcp.Tool)
        self.resources = Gio.ListStore(item_type=Gmcp.Resource)
        self.templates = Gio.ListStore(item_type=Gmcp.ResourceTemplate)
        self.prompts = Gio.ListStore(item_type=Gmcp.Prompt)
        for name, schema in ('count_words', TEXT), ('write', TEXT), ('ask', None), ('drop', None):
            self.tools.append(Gmcp.Tool.new(name, f'Does {name}', schema))
        self.resources.append(Gmcp.Resource.new('note:1', 'One', 'text/plain'))
        self.templates.append(Gmcp.ResourceTemplate.new('note:{n}', 'Notes', None))
        self.prompts.append(Gmcp.Prompt.new('greet', 'Greets', [Gmcp.PromptArgument.new('name', None, True)]))

    def do_get_tools(self):
        return self.tools

    def do_call_tool(self, call):
        getattr(self, call.get_name())(call, **json.loads(call.get_arguments_json()))

    def count_words(self, call, text):
        call.get_caller().log(Gmcp.LogLevel.WARNING, 'words', 'counting')
        call.return_result(Gmcp.ToolResult.new_text(f'{len(text.split())} words'))

    def write(self, call, text):
        self.notes['note:1'] = text
        self.emit_resource_updated('note:1')
        call.return_result(Gmcp.ToolResult.new_text('written'))

    def ask(self, call):
        def on_answer(caller, result):
            try:
                call.return_result(Gmcp.ToolResult.new_text(caller.ask_finish(result)))
            except GLib.Error as error:
                call.return_error(error)

        question = Gmcp.Elicitation.new('Which color?', FORM)
        call.get_caller().ask_async(question, None, on_answer)

    def drop(self, call):
        """Ends without an answer."""

    def do_get_resources(self):
        return self.resources

    def do_get_templates(self):
        return self.templates

    def do_read(self, request):
        uri = request.get_uri()
        if uri in self.notes:
            request.return_result(Gmcp.ResourceResult.new_text(uri, 'text/plain', self.notes[uri]))
        else:
            request.return_error(GLib.Error.new_literal(Gio.io_error_quark(), f'There is no {uri}',
                                                        Gio.IOErrorEnum.NOT_FOUND))

    def do_subscribe(self, uri):
        pass

    def do_unsubscribe(self, uri):
        pass

    def do_get_prompts(self):
        return self.prompts

    def do_get_prompt(self, request):
        request.return_result(Gmcp.PromptResult.new_text('A greeting', f'Greet {request.get_argument("name")}'))

    def do_complete_argument(self, request):
        request.return_values([name for name in ('ann', 'anton') if name.startswith(request.get_value())])


loop = GLib.MainLoop()
server = Gmcp.Server.new('notes', '1.0', Notes())
server.run_stdio_async(None, lambda server, result: loop.quit())
loop.run()
