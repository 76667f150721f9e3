#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the official conformance suite wants of a server: conformance-server.py [PORT]

Prints its address, and ends with its standard input.
"""
import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp

IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
ANY = {'type': 'object', 'properties': {}}


def embedded(uri, text, kind='text/plain'):
    return {'type': 'resource', 'resource': {'uri': uri, 'mimeType': kind, 'text': text}}


def form(properties, required=()):
    return {'type': 'object', 'properties': properties, 'required': list(required)}


def takes(name):
    return form({name: {'type': 'string', 'description': f'The {name}'}}, [name])


DEFAULTS = form({
    'name': {'type': 'string', 'description': 'User name', 'default': 'John Doe'},
    'age': {'type': 'integer', 'description': 'User age', 'default': 30},
    'score': {'type': 'number', 'description': 'User score', 'default': 95.5},
    'status': {'type': 'string', 'description': 'User status', 'enum': ['active', 'inactive', 'pending'], 'default': 'active'},
    'verified': {'type': 'boolean', 'description': 'Verification status', 'default': True},
})
ENUMS = form({
    'untitledSingle': {'type': 'string', 'description': 'Select one option', 'enum': ['option1', 'option2', 'option3']},
    'titledSingle': {'type': 'string', 'description': 'Select one option with titles',
                     'oneOf': [{'const': f'value{i}', 'title': title} for i, title in enumerate(('First Option', 'Second Option', 'Third Option'), 1)]},
    'legacyEnum': {'type': 'string', 'description': 'Select one option (legacy)', 'enum': ['opt1', 'opt2', 'opt3'],
                   'enumNames': ['Option One', 'Option Two', 'Option Three']},
    'untitledMulti': {'type': 'array', 'description': 'Select multiple options', 'minItems': 1, 'maxItems': 3,
                      'items': {'type': 'string', 'enum': ['option1', 'option2', 'option3']}},
    'titledMulti': {'type': 'array', 'description': 'Select multiple options with titles', 'minItems': 1, 'maxItems': 3,
                    'items': {'anyOf': [{'const': f'value{i}', 'title': f'{title} Choice'} for i, title in enumerate(('First', 'Second', 'Third'), 1)]}},
})
SCHEMA_2020_12 = {
    '$schema': 'https://json-schema.org/draft/2020-12/schema', 'type': 'object',
    '$defs': {'address': {'$anchor': 'addressDef', 'type': 'object',
                          'properties': {'street': {'type': 'string'}, 'city': {'type': 'string'}}}},
    'properties': {'name': {'type': 'string'}, 'address': {'$ref': '#/$defs/address'},
                   'contactMethod': {'type': 'string', 'enum': ['phone', 'email']}, 'phone': {'type': 'string'}, 'email': {'type': 'string'}},
    'allOf': [{'anyOf': [{'required': ['phone']}, {'required': ['email']}]}],
    'if': {'properties': {'contactMethod': {'const': 'phone'}}, 'required': ['contactMethod']},
    'then': {'required': ['phone']}, 'else': {'required': ['email']}, 'additionalProperties': False,
}


def text(value):
    return {'type': 'text', 'text': value}


class Provider(GObject.Object, Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider):
    def __init__(self):
        super().__init__()
        self.tools = Gio.ListStore(item_type=Gmcp.Tool)
        self.resources = Gio.ListStore(item_type=Gmcp.Resource)
        self.templates = Gio.ListStore(item_type=Gmcp.ResourceTemplate)
        self.prompts = Gio.ListStore(item_type=Gmcp.Prompt)
        for name, schema in self.SCHEMAS.items():
            self.tools.append(Gmcp.Tool.new(name, f'Tests {name}', json.dumps(schema)))
        for name, (support, schema) in self.TASKS.items():
            builder = Gmcp.ToolBuilder.new(name)
            builder.set_description(f'Tests {name}')
            builder.set_input_schema_json(json.dumps(schema))
            builder.set_task_support(support)
            self.tools.append(builder.build())
        for name, uri, kind in (('static-text', 'test://static-text', 'text/plain'), ('static-binary', 'test://static-binary', 'image/png'),
                                ('watched-resource', 'test://watched-resource', 'text/plain')):
            self.resources.append(Gmcp.Resource.new(uri, name, kind))
        self.templates.append(Gmcp.ResourceTemplate.new('test://template/{id}/data', 'template', 'application/json'))
        for name, arguments in (('test_simple_prompt', []), ('test_prompt_with_arguments', ['arg1', 'arg2']),
                                ('test_prompt_with_embedded_resource', ['resourceUri']), ('test_prompt_with_image', []),
                                ('test_input_required_result_prompt', [])):
            self.prompts.append(Gmcp.Prompt.new(name, f'Tests {name}', [Gmcp.PromptArgument.new(argument, argument, True) for argument in arguments]))

    # Tools

    SCHEMAS = {
        'test_simple_text': ANY, 'test_image_content': ANY, 'test_audio_content': ANY, 'test_embedded_resource': ANY,
        'test_multiple_content_types': ANY, 'test_tool_with_logging': ANY, 'test_tool_with_progress': ANY, 'test_error_handling': ANY,
        'test_sampling': takes('prompt'), 'test_elicitation': takes('message'), 'test_elicitation_sep1034_defaults': ANY,
        'test_elicitation_sep1330_enums': ANY, 'json_schema_2020_12_tool': SCHEMA_2020_12,
        'test_missing_capability': ANY, 'test_streaming_elicitation': ANY, 'test_logging_tool': ANY, 'test_trigger_tool_change': ANY,
        'test_trigger_prompt_change': ANY, 'test_input_required_result_elicitation': ANY, 'test_input_required_result_sampling': ANY,
        'test_input_required_result_list_roots': ANY, 'test_input_required_result_request_state': ANY,
        'test_input_required_result_multiple_inputs': ANY, 'test_input_required_result_multi_round': ANY,
        'test_input_required_result_tampered_state': ANY, 'test_input_required_result_capabilities': ANY,
        'greet': takes('name'), 'test_reconnection': ANY,
        'test_header': form({'region': {'type': 'string', 'x-mcp-header': 'Region'}}, ['region']),
    }
    # Calls of these may become tasks.
    TASKS = {
        'slow_compute': (Gmcp.TaskSupport.OPTIONAL, form({'seconds': {'type': 'number'}, 'label': {'type': 'string'}})),
        'confirm_delete': (Gmcp.TaskSupport.OPTIONAL, takes('filename')),
        'multi_input': (Gmcp.TaskSupport.OPTIONAL, ANY),
        'failing_job': (Gmcp.TaskSupport.REQUIRED, ANY),
        'protocol_error_job': (Gmcp.TaskSupport.OPTIONAL, ANY),
        'test_tool_with_task': (Gmcp.TaskSupport.REQUIRED, ANY),
    }
    CONTENT = {
        'test_simple_text': [text('This is a simple text response for testing.')],
        'test_image_content': [{'type': 'image', 'data': IMAGE, 'mimeType': 'image/png'}],
        'test_audio_content': [{'type': 'audio', 'data': AUDIO, 'mimeType': 'audio/wav'}],
        'test_embedded_resource': [embedded('test://embedded-resource', 'This is an embedded resource content.')],
        'test_multiple_content_types': [
            text('Multiple content types test:'), {'type': 'image', 'data': IMAGE, 'mimeType': 'image/png'},
            embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json')],
    }

    def do_get_tools(self):
        return self.tools

    def do_call_tool(self, call):
        name = call.get_name()
        if name in self.CONTENT:
            call.return_result(Gmcp.ToolResult.new_from_json(json.dumps({'content': self.CONTENT[name]})))
        else:
            getattr(self, name)(call, **json.loads(call.get_arguments_json()))

    def in_steps(self, call, steps, done):
        """Each 50 ms after the one before."""
        steps = iter(steps)

        def go_on():
            try:
                next(steps)()
                return GLib.SOURCE_CONTINUE
            except StopIteration:
                call.return_result(Gmcp.ToolResult.new_text(done))
                return GLib.SOURCE_REMOVE
        GLib.timeout_add(50, go_on)

    def test_tool_with_logging(self, call):
        caller = call.get_caller()
        self.in_steps(call, [lambda line=line: caller.log(Gmcp.LogLevel.INFO, None, line) for line in (
            'Tool execution started', 'Tool processing data', 'Tool execution completed')], 'Tool with logging executed successfully')

    def test_tool_with_progress(self, call):
        self.in_steps(call, [lambda step=step: call.report_progress(step, 100, f'Completed step {step} of 100') for step in (0, 50, 100)], 'done')

    def test_error_handling(self, call):
        call.return_result(Gmcp.ToolResult.new_error('This tool intentionally returns an error for testing'))

    def json_schema_2020_12_tool(self, call, **arguments):
        call.return_result(Gmcp.ToolResult.new_text(f'JSON Schema 2020-12 tool called with: {json.dumps(arguments)}'))

    def test_header(self, call, region):
        call.return_result(Gmcp.ToolResult.new_text(region))

    def ask(self, call, question, describe):
        def on_answer(caller, result):
            try:
                call.return_result(Gmcp.ToolResult.new_text(describe(json.loads(caller.ask_finish(result)))))
            except GLib.Error as error:
                call.return_error(error)
        call.get_caller().ask_async(question, None, on_answer)

    def test_sampling(self, call, prompt):
        question = Gmcp.Sampling.new_from_json(json.dumps({'messages': [{'role': 'user', 'content': text(prompt)}], 'maxTokens': 100}))
        self.ask(call, question, lambda answer: f'LLM response: {answer["content"]["text"]}')

    def elicit(self, call, message, schema, begin):
        self.ask(call, Gmcp.Elicitation.new(message, json.dumps(schema)),
                 lambda answer: f'{begin}: action={answer["action"]}, content={json.dumps(answer.get("content", {}))}')

    def test_elicitation(self, call, message):
        self.elicit(call, message, form({'response': {'type': 'string', 'description': "User's response"}}, ['response']), 'User response')

    def test_elicitation_sep1034_defaults(self, call):
        self.elicit(call, 'Please review and update the form fields with defaults', DEFAULTS, 'Elicitation completed')

    def test_elicitation_sep1330_enums(self, call):
        self.elicit(call, 'Please select options from the enum fields', ENUMS, 'Elicitation completed')

    # Questions that a client of 2026-07-28 answers with another request.

    @staticmethod
    def form_of(field, kind='string', key='user_name', message='What is your name?'):
        question = Gmcp.Elicitation.new(message, json.dumps(form({field: {'type': kind}}, [field])))
        question.set_key(key)
        return question

    @staticmethod
    def sampling(words, key=None):
        question = Gmcp.Sampling.new_from_json(json.dumps({'messages': [{'role': 'user', 'content': text(words)}], 'maxTokens': 100}))
        question.set_key(key)
        return question

    def test_input_required_result_elicitation(self, call):
        self.ask(call, self.form_of('name'), lambda answer: f'Hello, {answer.get("content", {}).get("name", "nobody")}!')

    test_streaming_elicitation = test_input_required_result_elicitation

    def test_input_required_result_sampling(self, call):
        self.ask(call, self.sampling('What is the capital of France?', 'capital_question'), lambda answer: answer['content']['text'])

    test_missing_capability = test_input_required_result_sampling

    def test_input_required_result_list_roots(self, call):
        def on_roots(caller, result):
            try:
                call.return_result(Gmcp.ToolResult.new_text(' '.join(root.get_uri() for root in caller.list_roots_finish(result))))
            except GLib.Error as error:
                call.return_error(error)
        call.get_caller().list_roots_async(None, on_roots)

    def test_input_required_result_request_state(self, call):
        self.ask(call, self.form_of('ok', 'boolean', 'confirm', 'Please confirm'), lambda answer: 'state-ok')

    test_input_required_result_tampered_state = test_input_required_result_request_state

    def test_input_required_result_multiple_inputs(self, call):
        answers = []

        def on_answer(finish):
            def take(caller, result):
                try:
                    answers.append(str(finish(caller, result)))
                except GLib.Error as error:
                    return call.return_error(error)
                if len(answers) == 3:
                    call.return_result(Gmcp.ToolResult.new_text(' '.join(answers)))
            return take
        caller = call.get_caller()
        caller.ask_async(self.form_of('name'), None, on_answer(Gmcp.Caller.ask_finish))
        caller.ask_async(self.sampling('Generate a greeting'), None, on_answer(Gmcp.Caller.ask_finish))
        caller.list_roots_async(None, on_answer(Gmcp.Caller.list_roots_finish))

    def test_input_required_result_multi_round(self, call):
        def on_first(caller, result):
            try:
                caller.ask_finish(result)
                self.ask(call, self.form_of('color', key='step2', message='And the color?'), lambda answer: 'both')
            except GLib.Error as error:
                call.return_error(error)
        call.get_caller().ask_async(self.form_of('name', key='step1', message='The name?'), None, on_first)

    def test_input_required_result_capabilities(self, call):
        """Asks what the client takes."""
        def on_sampled(caller, result):
            try:
                call.return_result(Gmcp.ToolResult.new_text(caller.ask_finish(result)))
            except GLib.Error as error:
                if not error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_SUPPORTED):
                    return call.return_error(error)
                self.ask(call, self.form_of('name'), json.dumps)
        call.get_caller().ask_async(self.sampling('Anything?'), None, on_sampled)

    def test_logging_tool(self, call):
        call.get_caller().log(Gmcp.LogLevel.INFO, None, 'A line')
        call.return_result(Gmcp.ToolResult.new_text('logged'))

    def test_trigger_tool_change(self, call):
        self.tools.append(Gmcp.Tool.new(f'test_added_{len(self.tools)}', 'Added', json.dumps(ANY)))
        call.return_result(Gmcp.ToolResult.new_text('changed'))

    def test_trigger_prompt_change(self, call):
        self.prompts.append(Gmcp.Prompt.new(f'test_added_{len(self.prompts)}', 'Added', []))
        call.return_result(Gmcp.ToolResult.new_text('changed'))

    def test_reconnection(self, call):
        """Its client has to come back for the result."""
        assert call.get_caller().end_stream(200)
        self.in_steps(call, [], 'Reconnected')

    # Tasks

    @staticmethod
    def later(call, milliseconds, finish):
        """Unless the call has been cancelled by then."""
        def on_time():
            if not call.get_cancellable().is_cancelled():
                finish()
            return GLib.SOURCE_REMOVE
        GLib.timeout_add(milliseconds, on_time)

    def greet(self, call, name):
        call.return_result(Gmcp.ToolResult.new_text(f'Hello, {name}!'))

    def slow_compute(self, call, seconds=0, label=''):
        self.later(call, int(seconds * 1000), lambda: call.return_result(Gmcp.ToolResult.new_text(f'{label} took {seconds} s')))

    def failing_job(self, call):
        self.later(call, 1000, lambda: call.return_result(Gmcp.ToolResult.new_error('The job failed')))

    def protocol_error_job(self, call):
        self.later(call, 100, lambda: call.return_rpc_error(-32603, 'The job broke', None))

    def confirm_delete(self, call, filename):
        self.ask(call, self.form_of('confirm', 'boolean', 'confirm', f'Delete {filename}?'), json.dumps)

    def multi_input(self, call):
        answers = []

        def on_answer(caller, result):
            try:
                answers.append(caller.ask_finish(result))
            except GLib.Error as error:
                return call.return_error(error)
            if len(answers) == 2:
                call.return_result(Gmcp.ToolResult.new_text(' '.join(answers)))
        for key in ('first', 'second'):
            question = Gmcp.Elicitation.new('Who, and is it sure?', json.dumps(form({'name': {'type': 'string'}, 'confirm': {'type': 'boolean'}})))
            question.set_key(key)
            call.get_caller().ask_async(question, None, on_answer)

    def test_tool_with_task(self, call):
        """Asks in the course of the call, and becomes a task when it knows."""
        caller = call.get_caller()
        caller.hold_task()

        def on_answer(caller, result):
            try:
                name = json.loads(caller.ask_finish(result))['content']['name']
            except GLib.Error as error:
                return call.return_error(error)
            caller.begin_task()
            self.later(call, 100, lambda: call.return_result(Gmcp.ToolResult.new_text(f'Hello, {name}!')))
        caller.ask_async(self.form_of('name'), None, on_answer)

    # Resources

    def do_get_resources(self):
        return self.resources

    def do_get_templates(self):
        return self.templates

    def do_read(self, request):
        uri = request.get_uri()
        contents = {
            'test://static-text': {'mimeType': 'text/plain', 'text': 'This is the content of the static text resource.'},
            'test://static-binary': {'mimeType': 'image/png', 'blob': IMAGE},
            'test://watched-resource': {'mimeType': 'text/plain', 'text': 'Watched resource content'},
        }.get(uri)
        if contents is None and uri.startswith('test://template/') and uri.endswith('/data'):
            name = uri.split('/')[3]
            contents = {'mimeType': 'application/json', 'text': json.dumps({'id': name, 'templateTest': True, 'data': f'Data for ID: {name}'})}
        if contents is None:
            request.return_error(GLib.Error.new_literal(Gio.io_error_quark(), f'There is no {uri}', Gio.IOErrorEnum.NOT_FOUND))
        else:
            request.return_result(Gmcp.ResourceResult.new_from_json(json.dumps({'contents': [{'uri': uri} | contents]})))

    def do_subscribe(self, uri):
        pass

    def do_unsubscribe(self, uri):
        pass

    # Prompts

    def do_get_prompts(self):
        return self.prompts

    def do_get_prompt(self, request):
        if request.get_name() == 'test_input_required_result_prompt':
            return self.ask_for_prompt(request)
        content = {
            'test_simple_prompt': lambda: [text('This is a simple prompt for testing.')],
            'test_prompt_with_arguments': lambda: [text(
                f"Prompt with arguments: arg1='{request.get_argument('arg1')}', arg2='{request.get_argument('arg2')}'")],
            'test_prompt_with_embedded_resource': lambda: [
                embedded(request.get_argument('resourceUri'), 'Embedded resource content for testing.'),
                text('Please process the embedded resource above.')],
            'test_prompt_with_image': lambda: [{'type': 'image', 'data': IMAGE, 'mimeType': 'image/png'}, text('Please analyze the image above.')],
        }[request.get_name()]()
        request.return_result(Gmcp.PromptResult.new_from_json(json.dumps({'messages': [{'role': 'user', 'content': each} for each in content]})))

    def ask_for_prompt(self, request):
        def on_answer(caller, result):
            try:
                request.return_result(Gmcp.PromptResult.new_text(None, caller.ask_finish(result)))
            except GLib.Error as error:
                request.return_error(error)
        request.get_caller().ask_async(self.form_of('context', key='user_context', message='What is it about?'), None, on_answer)

    def do_complete_argument(self, request):
        request.return_values([])


def main():
    server = Gmcp.Server.new('conformance-server', '1.0', Provider())
    endpoint = Gmcp.HttpEndpoint.new(server)
    endpoint.listen(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(endpoint.dup_uri(), flush=True)
    loop = GLib.MainLoop()
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.HUP, lambda *_: loop.quit())
    loop.run()


main()
