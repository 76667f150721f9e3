#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What gi/overrides/Gmcp.py adds: calls that are awaited, values in place of JSON, handlers of Python's own."""
import asyncio
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import threading
import typing
import unittest

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp
from gi.repository.Json import from_string as parse_node

ANYTHING = {'type': 'object'}


def make_registry():
    registry = Gmcp.ToolRegistry()

    @registry.tool
    async def count_words(text: str, call: Gmcp.ToolCall):
        """Counts the words of a text."""
        call.report_progress(1, 2, 'half of it')
        return f'{len(text.split())} words'

    return registry


class Echo(GObject.Object, Gmcp.ToolProvider):
    """A provider whose functions are coroutines."""

    def __init__(self, registry):
        super().__init__()
        self.registry = registry
        self.loads = 0
        self.tools = Gio.ListStore.new(Gmcp.Tool)

    def do_get_tools(self):
        return self.tools

    async def do_load(self, _load):
        self.loads += 1
        if self.loads > 1:
            raise ValueError('loaded already')
        self.tools.append(Gmcp.Tool.new_from_json({'name': 'echo', 'inputSchema': ANYTHING}))

    async def do_call_tool(self, call):
        if call.arguments.get('fail'):
            raise ValueError('told to')
        counted = await self.registry.call_tool_async('count_words', call.arguments)
        return {'counted': str(counted)}

    async def do_search(self, _search):
        return []


class Library(GObject.Object, Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider):
    """Each function that gets a request returns what the last part of a URI or name says, or raises."""

    def __init__(self):
        super().__init__()
        self.tools = Gio.ListStore.new(Gmcp.Tool)
        self.closes = 0

    def do_get_tools(self):
        return self.tools

    async def do_close(self, _close):
        self.closes += 1
        if self.closes > 1:
            raise ValueError('closed already')

    def do_read(self, request):
        values = {'mem:text': 'a text', 'mem:bytes': b'\0\1', 'mem:nonsense': object(),
                  'mem:result': Gmcp.ResourceResult.new_text('mem:other', 'text/plain', 'b')}
        return values[request.get_uri()]

    async def do_get_prompt(self, request):
        if request.get_name() == 'nothing':
            raise ValueError('no such prompt')
        if request.get_name() == 'itself':
            request.return_result(Gmcp.PromptResult.new_text(None, 'by itself'))
            return None
        return None if request.get_name() == 'none' else f'do {request.get_name()}'

    def do_complete_variable(self, request):
        return ['a variable']

    def do_complete_argument(self, request):
        return ['an argument']


class Variables(GObject.Object, Gmcp.ResourceProvider):
    async def do_complete_variable(self, request):
        return [request.get_value() + 'a', request.get_value() + 'b']


class Arguments(GObject.Object, Gmcp.PromptProvider):
    def do_complete_argument(self, request):
        return 12 if request.get_value() == 'bad' else Gmcp.CompletionResult.new([request.get_value()], 7, True)


class Awaiting(unittest.TestCase):
    def test_under_asyncio(self):
        registry = make_registry()

        async def main():
            self.assertTrue(await registry.load_async())
            calls = [registry.call_tool_async('count_words', {'text': 'a ' * n}) for n in range(3)]
            return [str(result) for result in await asyncio.gather(*calls, asyncio.sleep(0, 'slept'))]

        for run in (asyncio.run, Gmcp.run):
            self.assertEqual(run(main()), ['0 words', '1 words', '2 words', 'slept'])
        self.assertEqual(str(Gmcp.run(registry.call_tool_async('count_words', {'text': 'a'}))), '1 words')

    def test_another_thread(self):
        """An asyncio loop of a thread runs the main context of that thread."""
        results = []

        def run_thread():
            context = GLib.MainContext.new()
            context.push_thread_default()
            registry = make_registry()

            async def main():
                return str(await registry.call_tool_async('count_words', {'text': 'a'}))

            results.append(asyncio.run(main()))
            context.pop_thread_default()

        thread = threading.Thread(target=run_thread)
        thread.start()
        thread.join()
        self.assertEqual(results, ['1 words'])

    def test_glib_events_under_asyncio(self):
        """While an asyncio loop waits for itself, sources and signals of GLib's go on."""
        async def main():
            event = asyncio.Event()
            GLib.idle_add(event.set)
            await event.wait()

        Gmcp.run(main())

    def test_callback(self):
        registry = make_registry()
        loop = GLib.MainLoop()
        texts = []

        def on_called(source, result, word):
            texts.append((str(source.call_tool_finish(result)), word))
            loop.quit()

        self.assertIsNone(registry.call_tool_async('count_words', {'text': 'a b'}, None, None, on_called, 'data'))
        loop.run()
        self.assertEqual(texts, [('2 words', 'data')])

    def test_done_callback(self):
        """Without asyncio an AsyncCall can be followed in a GLib main loop."""
        registry = make_registry()
        loop = GLib.MainLoop()
        call = registry.call_tool_async('count_words', {'text': 'a b'})
        self.assertFalse(call.done())
        with self.assertRaises(RuntimeError):
            call.result()
        call.add_done_callback(lambda _call: loop.quit())
        loop.run()
        self.assertEqual(str(call.result()), '2 words')

    def test_errors(self):
        registry = make_registry()

        async def main():
            with self.assertRaises(GLib.Error) as caught:
                await registry.call_tool_async('nothing')
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.UNKNOWN_TOOL), caught.exception)
            self.assertIsNone(caught.exception.data)
            with self.assertRaises(TypeError):
                registry.call_tool_async('count_words', {'text': 'a'}, no_such_option=1)
            with self.assertRaises(GLib.Error):
                registry.call_tool_async('count_words', {'text': 'a'}, traceparent='nonsense')
            with self.assertRaises(TypeError):
                registry.call_tool_async('count_words', {'text': 'a'}, Gmcp.CallOptions(), timeout_ms=1)
            with self.assertRaises(TypeError):
                registry.load_async(timeout_ms=1)
            with self.assertRaises(TypeError):
                registry.call_tool_async('count_words', {'text': object()})
            with self.assertRaises(GLib.Error) as caught:
                await registry.call_tool_async('count_words', '{no')
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT), caught.exception)

        asyncio.run(main())

    def test_tasks(self):
        registry = make_registry()
        held = []
        registry.add_function('hold', 'Never answers', ANYTHING, lambda call, *_data: held.append(call))

        async def main():
            def count(n):
                return registry.call_tool_async('count_words', {'text': 'a ' * n})

            texts = [str(await asyncio.create_task(count(1)))]
            if hasattr(asyncio, 'TaskGroup'):
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(count(n)) for n in (2, 3)]
                self.assertEqual([str(task.result()) for task in tasks], ['2 words', '3 words'])
            call = count(4)
            texts += [str(result) for result in await asyncio.gather(*(asyncio.create_task(call) for _ in range(3)))]
            texts += [str(await asyncio.create_task(call)), str(await call), str(await asyncio.shield(call))]
            self.assertEqual(texts, ['1 words'] + ['4 words'] * 6)
            with self.assertRaises(GLib.Error):
                await asyncio.create_task(registry.call_tool_async('nothing'))
            # Before its first step, and after it.
            for n_steps in (0, 3):
                call = registry.call_tool_async('hold')
                task = asyncio.create_task(call)
                for _ in range(n_steps):
                    await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                while not call.done():
                    await asyncio.sleep(0)
                with self.assertRaises(GLib.Error):
                    call.result()
            call = registry.call_tool_async('hold')
            call.close()
            with self.assertRaises(GLib.Error) as caught:
                await call
            self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))

        asyncio.run(main())
        asyncio.run(main(), debug=True)

    def test_cancelled_by_asyncio(self):
        registry = make_registry()
        held = []
        registry.add_function('hold', 'Never answers', ANYTHING, lambda call, *_data: held.append(call))

        async def main():
            task = asyncio.ensure_future(registry.call_tool_async('hold'))
            await asyncio.sleep(0)
            while not held:
                await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            while not held[0].get_cancellable().is_cancelled():
                await asyncio.sleep(0)

        asyncio.run(main())

    def test_cancellable(self):
        registry = make_registry()
        cancelled = []

        @registry.tool
        async def hold():
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(True)

        async def main():
            cancellable = Gio.Cancellable()
            call = registry.call_tool_async('hold', cancellable=cancellable)
            GLib.idle_add(cancellable.cancel)
            with self.assertRaises(GLib.Error) as caught:
                await call
            self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED))
            while not cancelled:
                await asyncio.sleep(0)

        asyncio.run(main())


class Calls(unittest.TestCase):
    def test_options(self):
        registry = make_registry()
        seen = []

        def look(call, *_data):
            options = call.get_options()
            seen.append((options.get_timeout_ms(), options.get_role(), json.loads(options.get_meta_json())))
            call.report_progress(1, 2, 'half of it')
            return 'seen'

        registry.add_function('look', 'Looks', ANYTHING, look)
        reports = []

        async def main():
            return await registry.call_tool_async(
                'look', {}, timeout_ms=5000, role='review', meta={'example.org/x': [1]},
                progress=lambda *report: reports.append(report))

        self.assertEqual(str(asyncio.run(main())), 'seen')
        self.assertEqual(seen, [(5000, 'review', {'example.org/x': [1]})])
        self.assertEqual(reports, [(1, 2, 'half of it')])

    def test_options_object(self):
        options = Gmcp.CallOptions(meta_json={'example.org/x': [1, 'é']}, timeout_ms=5, traceparent=None)
        self.assertEqual(json.loads(options.get_meta_json()), {'example.org/x': [1, 'é']})
        self.assertEqual(options.get_timeout_ms(), 5)
        self.assertEqual(Gmcp.CallOptions(meta_json='{"a": 1}').props.meta_json, '{"a": 1}')
        self.assertIsNone(Gmcp.CallOptions(meta_json=None).get_meta_json())
        for name, value, code in (('meta_json', [1], Gmcp.Error.INVALID_ARGUMENT), ('meta_json', '{no', Gmcp.Error.INVALID_JSON),
                                  ('traceparent', 'nonsense', Gmcp.Error.INVALID_ARGUMENT)):
            with self.assertRaises(GLib.Error) as caught:
                Gmcp.CallOptions(**{name: value})
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), code), caught.exception)

    def test_json(self):
        tool = Gmcp.Tool.new_from_json({'name': 'x', 'inputSchema': ANYTHING})
        self.assertEqual(tool.input_schema, ANYTHING)
        self.assertIsNone(tool.output_schema)
        self.assertEqual(Gmcp.Tool.new_from_json('{"name": "y", "inputSchema": {}}').get_name(), 'y')
        result = Gmcp.ToolResult.new_structured({'a': ['é', 1]}, False)
        self.assertEqual(result.structured_content, {'a': ['é', 1]})
        self.assertEqual([content.get_kind() for content in result], [Gmcp.ContentKind.TEXT])
        self.assertEqual([str(result), str(Gmcp.ToolResult.new_text('b'))], [result.dup_text(), 'b'])


class Json(unittest.TestCase):
    """Values and text reach a tool as they are, by any function that takes JSON."""

    def setUp(self):
        self.registry = Gmcp.ToolRegistry()
        self.registry.add_function('show', 'Shows its arguments', ANYTHING, lambda call, *_data: call.get_arguments_json())

    def show(self, value, run=Gmcp.run):
        async def main():
            return str(await self.registry.call_tool_async('show', value))

        return run(main())

    def test_values(self):
        for value in ({'n': 2**70}, {'n': 2**63}, {'n': -2**63 - 1}, {'x': 1.0}, {'t': '\0a'}, {'é': ['\U0001f600']}):
            self.assertEqual(json.loads(self.show(value)), value)
        self.assertEqual(self.show('{"n": 1e400, "m": 1.10}'), '{"n": 1e400, "m": 1.10}')
        self.assertEqual(self.show(parse_node('{"n":1}')), '{"n":1}')
        self.assertEqual(self.show(None), '{}')

    def test_keywords(self):
        async def main():
            by_name = await self.registry.call_tool_async('show', arguments={'n': 2**64}, options=Gmcp.CallOptions())
            none = await self.registry.call_tool_async(name='show')
            return [str(by_name), str(none)]

        self.assertEqual(Gmcp.run(main()), ['{"n":18446744073709551616}', '{}'])

    def test_callback(self):
        texts = []
        loop = GLib.MainLoop()

        def on_called(source, result, *_data):
            texts.append(str(source.call_tool_finish(result)))
            loop.quit()

        self.registry.call_tool_async('show', {'n': 2**64}, None, None, on_called)
        loop.run()
        self.assertEqual(texts, ['{"n":18446744073709551616}'])

    def test_bad_text(self):
        for text in ('{"b":1,"b":2}', "{'a':1}", '{"a":1} // c', '', ' ', '[]', '{"a":' * 100000 + '1' + '}' * 100000):
            with self.assertRaises(GLib.Error) as caught:
                self.show(text)
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT), caught.exception)

    def test_bad_values(self):
        for value, error in (({'n': float('nan')}, ValueError), ({'n': float('inf')}, ValueError), ({'n': b'x'}, TypeError)):
            with self.assertRaises(error):
                self.show(value)

    def test_elicitation(self):
        schema = {'type': 'object', 'properties': {'n': {'type': 'integer', 'minimum': 18}}, 'required': ['n']}

        def ask():
            return Gmcp.Elicitation.new('How many?', schema)

        field = ask().get_fields()[0]
        self.assertTrue(field.check(20))
        for value in (3, -2**70, 'twenty', '[' * 100000, '3 // three'):
            with self.assertRaises(GLib.Error) as caught:
                field.check(value)
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT), caught.exception)
        for value in ({'n': 3}, '{"n":20,"n":3}', '[' * 100000):
            with self.assertRaises(GLib.Error):
                ask().accept(value)
        self.assertTrue(ask().accept({'n': 20}))
        self.assertTrue(ask().accept(content='{"n": 20}'))

    def test_template(self):
        template = Gmcp.ResourceTemplate.new_from_json({'name': 't', 'uriTemplate': 'a:{b}'})
        self.assertEqual(template.expand({'b': 2**70}), f'a:{2**70}')
        with self.assertRaises(GLib.Error):
            template.expand("{'b': 1}")
        self.assertEqual(template.match('a:x%20y'), {'b': 'x y'})
        self.assertIsNone(template.match('b:x'))

    def test_request(self):
        async def main():
            ours, theirs = Gmcp.memory_transport_new_pair()
            server = Gmcp.Server.new('shows', '1', self.registry)
            server.attach(theirs)
            client = Gmcp.Client.new(ours)
            await client.open_async()
            result = await client.send_request_async('tools/call', {'name': 'show', 'arguments': {'n': 2**70}})
            text = result.get_object().get_array_member('content').get_object_element(0).get_string_member('text')
            self.assertEqual(json.loads(text), {'n': 2**70})
            self.assertEqual(json.loads(str(await client.call_tool_async('show', {'n': 2**70}))), {'n': 2**70})
            self.assertTrue(client.send_notification('notifications/example', {'n': 2**70}))
            await client.close_async()

        asyncio.run(main())


class Values(unittest.TestCase):
    """What is awaited gives values; what a callback ends gives text, as in C."""

    def test_answer(self):
        registry = Gmcp.ToolRegistry()
        answers = []

        async def keep(call, *_data):
            answers.append(await call.get_caller().ask_async(Gmcp.Elicitation.new('Who?', {'type': 'object', 'properties': {}})))

        def keep_text(call, *_data):
            def on_answer(caller, result):
                answers.append(caller.ask_finish(result))
                call.return_result(Gmcp.ToolResult.new_text(''))

            call.get_caller().ask_async(Gmcp.Elicitation.new('Who?', {'type': 'object', 'properties': {}}), None, on_answer)

        registry.add_function('keep', 'Asks', ANYTHING, keep)
        registry.add_function('keep_text', 'Asks', ANYTHING, keep_text)
        registry.connect('input-requested', lambda _registry, request: request.accept({}))
        for name in ('keep', 'keep_text'):
            self.assertFalse(Gmcp.run(registry.call_tool_async(name)).is_error())
        self.assertEqual(answers, [{'action': 'accept', 'content': {}}, '{"action":"accept","content":{}}'])

    def test_audit(self):
        records = [{'id': id, 'time': '2026-01-02T03:04:05.000Z', 'server': 'one', 'tool': 'écho', 'outcome': 'ok'} for id in ('a', 'b')]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, 'audit.jsonl')
            file.write_text(''.join(json.dumps(record) + '\n' for record in records), encoding='utf-8')
            log = Gmcp.AuditLog.new(file)
            self.assertEqual(Gmcp.run(log.read_async(None, None, 0)), records)
            self.assertEqual(Gmcp.run(log.find_async('b')), records[1])
            self.assertEqual(Gmcp.run(log.search_async('other', None, None, None, None, None, 5)), [])


REFUSING_SERVER = '''
import json, sys

for line in sys.stdin:
    request = json.loads(line)
    if 'id' not in request:
        continue
    answer = {'jsonrpc': '2.0', 'id': request['id']}
    if request['method'] == 'initialize':
        answer['result'] = {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                            'serverInfo': {'name': 'refusing', 'version': '1'}}
    elif request['method'] == 'tools/list':
        answer['result'] = {'tools': [{'name': 'refuse', 'inputSchema': {'type': 'object'}}]}
    elif request['method'] == 'tools/call' and request['params']['arguments'].get('fine'):
        answer['result'] = {'content': []}
    elif request['method'] == 'tools/call':
        answer['error'] = {'code': -32050, 'message': 'refused', 'data': {'why': ['é', 1]}}
    else:
        answer['error'] = {'code': -32601, 'message': 'no such method'}
    print(json.dumps(answer), flush=True)
'''


class Errors(unittest.TestCase):
    def expect_data(self, calls, tool):
        async def main():
            with self.assertRaises(GLib.Error) as caught:
                await calls.call_tool_async(tool)
            self.assertTrue(caught.exception.matches(Gmcp.rpc_error_quark(), -32050), caught.exception)
            self.assertEqual(caught.exception.data, {'why': ['é', 1]})
            options = Gmcp.CallOptions()
            with self.assertRaises(GLib.Error):
                await calls.call_tool_async(tool, {}, options)
            self.assertEqual(json.loads(options.dup_error_data_json()), {'why': ['é', 1]})
            await calls.call_tool_async(tool, {'fine': True}, options)
            self.assertIsNone(options.dup_error_data_json())
            self.assertTrue(await calls.close_async())

        asyncio.run(main())

    def test_client(self):
        client = Gmcp.Client.new(Gmcp.StdioTransport.new([sys.executable, '-c', REFUSING_SERVER]))
        self.assertTrue(Gmcp.run(client.open_async()))
        self.expect_data(client, 'refuse')

    def test_served(self):
        class Full(GObject.Object, Gmcp.ToolProvider, Gmcp.ResourceProvider):
            __gtype_name__ = 'FullProvider'

            def __init__(self):
                super().__init__()
                self.tools = Gio.ListStore.new(Gmcp.Tool)
                self.tools.append(Gmcp.Tool.new('fail', None, None))
                self.resources = Gio.ListStore.new(Gmcp.Resource)
                self.data = {'left': ['é', 0]}

            def do_get_tools(self):
                return self.tools

            async def do_load(self, _load):
                pass

            def do_call_tool(self, _call):
                raise Gmcp.RpcException(-32050, 'full', self.data)

            def do_get_resources(self):
                return self.resources

            async def do_read(self, _request):
                raise Gmcp.RpcException(-32051, 'empty', self.data)

        provider = Full()

        async def expect(awaitable, code, message, data):
            with self.assertRaises(Gmcp.RpcException) as caught:
                await awaitable
            error = caught.exception
            self.assertEqual((error.code, error.data), (code, data))
            self.assertTrue(error.message.endswith(message), error.message)
            self.assertTrue(error.matches(Gmcp.rpc_error_quark(), code))

        async def main():
            ours, theirs = Gmcp.memory_transport_new_pair()
            server = Gmcp.Server.new('full', '1', provider)
            server.attach(theirs)
            client = Gmcp.Client.new(ours)
            await client.open_async()
            for data in ({'left': ['é', 0]}, 'a text', 7, None):
                provider.data = data
                await expect(provider.call_tool_async('fail'), -32050, 'full', data)
                await expect(provider.read_async('x:'), -32051, 'empty', data)
                await expect(client.call_tool_async('fail'), -32050, 'full', data)
                await expect(client.read_resource_async('x:'), -32051, 'empty', data)
            for data in (object(), {'a': float('nan')}, ['\ud800'], {(1, 2): 3}):
                provider.data = data
                with self.assertLogs('gmcp', 'WARNING') as logged:
                    await expect(provider.call_tool_async('fail'), -32050, 'full', None)
                    await expect(client.call_tool_async('fail'), -32050, 'full', None)
                    await expect(provider.read_async('x:'), -32051, 'empty', None)
                self.assertEqual(len(logged.records), 3)
            await client.close_async()

        asyncio.run(main())

    def test_manager(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, 'mcp.json')
            config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
                'one': {'command': sys.executable, 'args': ['-c', REFUSING_SERVER]}}}), encoding='utf-8')
            manager = Gmcp.Manager(config_file=str(config))
            self.assertTrue(Gmcp.run(manager.load_async()))
            self.expect_data(manager, 'one__refuse')


    def test_data(self):
        """Whatever a server sends along, the call ends, and the data can be printed."""
        registry = Gmcp.ToolRegistry()
        texts = []
        registry.add_function('fail', 'Fails', ANYTHING, lambda call, *_data: call.return_rpc_error(-32050, 'full', texts[0]))

        async def expect(text, data):
            texts[:] = [text]
            with self.assertRaises(Gmcp.RpcException) as caught:
                await registry.call_tool_async('fail')
            self.assertEqual((caught.exception.code, caught.exception.data), (-32050, data))
            str(caught.exception.data).encode()

        async def main():
            await expect(r'["\ud800", "\udFFFa", "\uD83D\uDE00", "\ud83dx\ude00"]', ['\ufffd', '\ufffda', '\U0001f600', '\ufffdx\ufffd'])
            await expect(r'{"\udc00": "\\ud800"}', {'\ufffd': r'\ud800'})
            with self.assertLogs('gmcp', 'WARNING'):
                await expect('[' + '1' * 10000 + ']', None)

        asyncio.run(main())


async def ask_name(call, *_data):
    question = Gmcp.Elicitation.new('Who?', {'type': 'object', 'properties': {'name': {'type': 'string'}}})
    answer = await call.get_caller().ask_async(question)
    return {'action': answer['action'], **({'content': answer['content']} if 'content' in answer else {})}


class Asking(GObject.Object, Gmcp.ToolProvider):
    def do_get_tools(self):
        return Gio.ListStore.new(Gmcp.Tool)

    async def do_call_tool(self, call):
        return await ask_name(call)


class Questions(unittest.TestCase):
    """Handlers of the signals that ask something."""

    def setUp(self):
        self.kept = []
        self.problems = []
        self.original_hook = sys.excepthook
        sys.excepthook = lambda _kind, error, _traceback: self.problems.append(str(error))

    def tearDown(self):
        sys.excepthook = self.original_hook

    def ask(self, handler, run=Gmcp.run, connect='connect'):
        registry = Gmcp.ToolRegistry()
        registry.add_function('ask', 'Asks', ANYTHING, ask_name)
        actions = []
        for provider in (registry, Asking()):
            getattr(provider, connect)('input-requested', handler, 'data')

            async def main():
                return str(await provider.call_tool_async('ask'))

            actions.append(json.loads(run(main())))
        self.assertEqual(actions[0], actions[1])
        return actions[0]

    def keep_and_raise(self, _provider, request, data):
        self.kept.append(request)
        raise ValueError(f'no form with {data}')

    async def keep_and_raise_later(self, provider, request, data):
        await asyncio.sleep(0)
        self.keep_and_raise(provider, request, data)

    def test_raising(self):
        for handler in (self.keep_and_raise, self.keep_and_raise_later):
            self.assertEqual(self.ask(handler), {'action': 'cancel'})
        self.assertEqual(self.ask(self.keep_and_raise, connect='connect_after'), {'action': 'cancel'})
        self.assertEqual(self.problems, ['no form with data'] * 6)
        self.assertFalse(any(request.is_open() for request in self.kept))

    def test_answering(self):
        def now(_provider, request, _data):
            request.accept({'name': 'Ada'})

        async def later(_provider, request, _data):
            await asyncio.sleep(0)
            request.accept({'name': 'Ada'})

        async def never(_provider, _request, _data):
            await asyncio.sleep(0)

        def much_later(_provider, request, _data):
            GLib.idle_add(lambda: request.decline())

        accepted = {'action': 'accept', 'content': {'name': 'Ada'}}
        for handler, action in (now, accepted), (later, accepted), (never, {'action': 'cancel'}), (much_later, {'action': 'decline'}):
            self.assertEqual(self.ask(handler), action)
        self.assertEqual(self.problems, [])

    def test_without_asyncio(self):
        registry = make_registry()

        async def count(_provider, request, _data):
            request.accept({'name': str(await registry.call_tool_async('count_words', {'text': 'a b'}))})

        def run(coroutine):
            loop = GLib.MainLoop()
            ends = []

            @registry.tool(name='run')
            async def run_it():
                return await coroutine

            call = registry.call_tool_async('run')
            call.add_done_callback(lambda call: (ends.append(str(call.result())), loop.quit()))
            loop.run()
            registry.remove_tool('run')
            return ends[0]

        self.assertEqual(self.ask(count, run=run), {'action': 'accept', 'content': {'name': '2 words'}})

    def test_disconnected(self):
        registry = Gmcp.ToolRegistry()
        handler = registry.connect('input-requested', self.keep_and_raise)
        self.assertTrue(registry.handler_is_connected(handler))
        self.assertEqual(registry.disconnect_by_func(self.keep_and_raise), 1)
        self.assertFalse(registry.handler_is_connected(handler))
        with self.assertRaises(TypeError):
            registry.connect('input-requested', 'no function')
        with self.assertRaises(TypeError):
            registry.connect('no-such-signal', self.keep_and_raise)

    def test_call(self):
        """A call that a rule wants to be asked for."""
        def keep_and_raise(manager, request):
            self.keep_and_raise(manager, request, 'data')

        async def allow(_manager, request):
            await asyncio.sleep(0)
            request.allow_once()

        async def call(folder, handler):
            config = pathlib.Path(folder, 'mcp.json')
            config.write_text(json.dumps({'mcp_settings': {'load_wait_seconds': 600}, 'mcpServers': {
                'one': {'command': sys.executable, 'args': ['-c', REFUSING_SERVER]}}}), encoding='utf-8')
            manager = Gmcp.Manager(config_file=config, state_directory=folder, ask_first=['one.*'])
            manager.connect('call-requested', handler)
            await manager.load_async()
            try:
                return await manager.call_tool_async('one__refuse', {'fine': True})
            finally:
                await manager.close_async()

        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(str(Gmcp.run(call(folder, allow))), '')
            with self.assertRaises(GLib.Error) as caught:
                Gmcp.run(call(folder, keep_and_raise))
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.NOT_PERMITTED), caught.exception)
        self.assertEqual(self.problems, ['no form with data'])

    def test_configuration(self):
        """A value that a configuration leaves open."""
        async def keep_and_raise(manager, request):
            await self.keep_and_raise_later(manager, request, 'data')

        async def start(folder):
            config = pathlib.Path(folder, 'mcp.json')
            config.write_text(json.dumps({
                'inputs': [{'type': 'promptString', 'id': 'key', 'description': 'A key', 'password': True}],
                'servers': {'keyed': {'command': sys.executable, 'env': {'KEY': '${input:key}'}}}}), encoding='utf-8')
            manager = Gmcp.Manager(config_file=config, state_directory=folder)
            manager.connect('config_input_requested', keep_and_raise)
            await manager.load_config_async()
            with self.assertRaises(GLib.Error):
                await manager.get_server('keyed').start_async()
            await manager.close_async()

        with tempfile.TemporaryDirectory() as folder:
            Gmcp.run(start(folder))
        self.assertEqual(self.problems, ['no form with data'])


class Paths(unittest.TestCase):
    def test_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, 'mcp.json')
            config.write_text('{"mcpServers": {}}', encoding='utf-8')
            for file in (config, str(config), Gio.File.new_for_path(str(config))):
                manager = Gmcp.load_tool_providers('org.example.Paths', file)[0]
                self.assertEqual(manager.get_config_file().get_path(), str(config))
                Gmcp.run(manager.close_async())
        self.assertEqual(Gmcp.Root.new_for_file('/tmp', None).get_uri(), 'file:///tmp')
        self.assertEqual(Gmcp.Manager(workspace=pathlib.Path('/tmp')).get_workspace().get_path(), '/tmp')
        with self.assertRaises(TypeError):
            Gmcp.load_tool_providers('org.example.Paths', 7)

    def test_functions(self):
        self.assertEqual(Gmcp.dup_visible_line('a\nb', 200), Gmcp.dup_visible_line(text='a\nb', max_chars=200))
        error = Gmcp.rpc_error_new(-32050, 'full', {'left': 0})
        self.assertTrue(error.matches(Gmcp.rpc_error_quark(), -32050), error)


class Tunnel(Gmcp.Transport):
    """A class that nobody can derive."""


class Transports(unittest.TestCase):
    def test_derived(self):
        async def main():
            tunnel = Tunnel()
            with self.assertRaises(GLib.Error) as caught:
                await tunnel.open_async()
            self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.NOT_SUPPORTED), caught.exception)
            with self.assertRaises(GLib.Error):
                await Gmcp.Client.new(Tunnel()).open_async()
            self.assertTrue(await tunnel.close_async())
            self.assertEqual((tunnel.dup_description(), tunnel.get_pid(), tunnel.has_request_streams()),
                             (GObject.type_name(Tunnel), 0, False))

        asyncio.run(main())


class Handlers(unittest.TestCase):
    def call(self, handler, arguments=None, run=asyncio.run):
        registry = Gmcp.ToolRegistry()
        registry.add_function('x', 'X', ANYTHING, handler)

        async def main():
            return await registry.call_tool_async('x', arguments or {})

        return run(main())

    def test_values(self):
        content = Gmcp.ToolResult.new_text('c').get_content(0)
        for value, text in (('a', 'a'), (Gmcp.ToolResult.new_text('b'), 'b'), (content, 'c'), ([content, content], 'c\nc'),
                            ([1, 'é'], '[1, "é"]'), (2.5, '2.5'), (True, 'true'), ([], '[]')):
            async def handler(_call, *_data):
                return value

            self.assertEqual(str(self.call(handler)), text)
            self.assertEqual(str(self.call(lambda _call, *_data: value)), text)
        result = self.call(lambda call, *_data: dict(call.arguments, b=2), {'a': 1})
        self.assertEqual(result.structured_content, {'a': 1, 'b': 2})

        async def say_nothing(_call, *_data):
            pass

        self.assertEqual(str(self.call(say_nothing)), '')

    def test_answers_itself(self):
        def handler(call, *_data):
            GLib.idle_add(lambda: call.return_result(Gmcp.ToolResult.new_text('later')))

        self.assertEqual(str(self.call(handler)), 'later')

    def test_exceptions(self):
        async def raise_later(_call, *_data):
            await asyncio.sleep(0)
            raise ValueError('too bad')

        def raise_now(_call, *_data):
            raise ValueError('too bad')

        async def answer_nonsense(_call, *_data):
            return object()

        def look_up(_call, *_data):
            return {}['missing']

        def expect(handler, text):
            with self.assertLogs('gmcp', 'WARNING') as logged:
                result = self.call(handler)
            self.assertTrue(result.is_error())
            self.assertIn(text, result.get_content(0).get_text())
            self.assertIn('Traceback', logged.output[0])
            self.assertIn(text, logged.output[0])

        for handler in (raise_later, raise_now):
            expect(handler, 'ValueError: too bad')
        expect(look_up, "KeyError: 'missing'")
        for handler in (answer_nonsense, lambda _call, *_data: object()):
            expect(handler, 'not JSON serializable')
        for value in ({'n': float('nan')}, [float('inf')], float('-inf')):
            expect(lambda _call, *_data: value, 'not JSON compliant')

        async def fail(_call, *_data):
            raise GLib.Error.new_literal(Gio.io_error_quark(), 'busy', Gio.IOErrorEnum.BUSY)

        with self.assertRaises(GLib.Error) as caught, self.assertNoLogs('gmcp', 'WARNING'):
            self.call(fail)
        self.assertTrue(caught.exception.matches(Gio.io_error_quark(), Gio.IOErrorEnum.BUSY), caught.exception)

    def test_unconfigured(self):
        """The author sees an exception where no logging is set up."""
        program = textwrap.dedent('''
            import gi
            gi.require_version('Gmcp', '1')
            from gi.repository import Gmcp

            registry = Gmcp.ToolRegistry()

            @registry.tool
            def look_up():
                return {}['missing']

            Gmcp.run(registry.call_tool_async('look_up'))
            ''')
        ended = subprocess.run([sys.executable, '-c', program], stderr=subprocess.PIPE, text=True, check=True)
        self.assertIn('Traceback', ended.stderr)
        self.assertIn("KeyError: 'missing'", ended.stderr)

    def test_without_asyncio(self):
        """In a GLib main loop a coroutine awaits calls; what only asyncio has is an error of the tool."""
        registry = make_registry()

        @registry.tool
        async def twice(text: str):
            counted = [str(await registry.call_tool_async('count_words', {'text': text})) for _ in range(2)]
            return ', '.join(counted)

        @registry.tool
        async def sleep(seconds: float):
            await asyncio.sleep(seconds)

        loop = GLib.MainLoop()

        def call(name, arguments):
            call = registry.call_tool_async(name, arguments)
            call.add_done_callback(lambda _call: loop.quit())
            loop.run()
            return call.result()

        self.assertEqual(str(call('twice', {'text': 'a b'})), '2 words, 2 words')
        for seconds in (0, 0.001):
            with self.assertLogs('gmcp', 'WARNING') as logged:
                result = call('sleep', {'seconds': seconds})
            self.assertTrue(result.is_error())
            self.assertIn('run the program with Gmcp.run()', str(result))
            self.assertIn('await asyncio.sleep(seconds)', logged.output[0])

    def test_tool_answers_later(self):
        registry = Gmcp.ToolRegistry()

        @registry.tool
        def later(call: Gmcp.ToolCall):
            GLib.idle_add(lambda: call.return_result(Gmcp.ToolResult.new_text('later')))

        @registry.tool
        def nothing():
            pass

        @registry.tool
        async def nothing_more(call: Gmcp.ToolCall):
            call.report_progress(1, 1, None)

        for name, text in ('later', 'later'), ('nothing', ''), ('nothing_more', ''):
            self.assertEqual(str(Gmcp.run(registry.call_tool_async(name))), text)

    def test_schema(self):
        registry = Gmcp.ToolRegistry()

        @registry.tool(name='other', description='Something else')
        def function(a: int, b: list[str], call: Gmcp.ToolCall, c: typing.Literal['x', 'y'] = 'x', d: float | None = None, e=None):
            return [a, b, c, d, e, call.get_name()]

        tool = registry.find_tool('other')
        self.assertEqual(tool.get_description(), 'Something else')
        self.assertEqual(tool.input_schema, {
            'type': 'object',
            'properties': {
                'a': {'type': 'integer'},
                'b': {'type': 'array', 'items': {'type': 'string'}},
                'c': {'enum': ['x', 'y'], 'default': 'x'},
                'd': {'type': ['number', 'null']},
                'e': {},
            },
            'required': ['a', 'b'],
            'additionalProperties': False,
        })

        async def main():
            good = await registry.call_tool_async('other', {'a': 1, 'b': ['z'], 'd': 2.5})
            bad = await registry.call_tool_async('other', {'a': 'one', 'b': []})
            return json.loads(str(good)), bad.is_error()

        self.assertEqual(asyncio.run(main()), ([1, ['z'], 'x', 2.5, None, 'other'], True))
        with self.assertRaises(TypeError):
            registry.tool(lambda *words: words)
        with self.assertRaises(TypeError):
            registry.tool(lambda word: word)
        registry.tool(lambda word: word, name='same')
        self.assertEqual(registry.find_tool('same').input_schema['required'], ['word'])

    def test_unions(self):
        registry = Gmcp.ToolRegistry()

        @registry.tool
        def choose(a: str | int, b: None | list[str] = None, c: typing.Union[int, str, None] = 1,
                   d: typing.Optional[typing.Literal['x']] = None, e: typing.Optional[object] = None, f: None = None):
            return [a, b, c, d, e, f]

        self.assertEqual(registry.find_tool('choose').input_schema['properties'], {
            'a': {'anyOf': [{'type': 'string'}, {'type': 'integer'}]},
            'b': {'type': ['array', 'null'], 'items': {'type': 'string'}},
            'c': {'anyOf': [{'type': 'integer'}, {'type': 'string'}, {'type': 'null'}], 'default': 1},
            'd': {'anyOf': [{'enum': ['x']}, {'type': 'null'}]},
            'e': {},
            'f': {'type': 'null'},
        })

        async def main():
            good = await registry.call_tool_async('choose', {'a': 1, 'b': None, 'c': None, 'd': None, 'e': 'any'})
            bad = await registry.call_tool_async('choose', {'a': None})
            return json.loads(str(good)), bad.is_error()

        self.assertEqual(asyncio.run(main()), ([1, None, None, None, 'any', None], True))


class Providers(unittest.TestCase):
    def test_coroutines(self):
        provider = Echo(make_registry())

        async def main():
            self.assertTrue(await provider.load_async())
            with self.assertRaises(GLib.Error) as caught:
                await provider.load_async()
            self.assertIn('loaded already', caught.exception.message)
            result = await provider.call_tool_async('echo', {'text': 'a b c'})
            self.assertEqual(result.structured_content, {'counted': '3 words'})
            self.assertTrue((await provider.call_tool_async('echo', {'fail': True})).is_error())
            self.assertEqual(await provider.search_async('words', 5, Gmcp.ToolDetail.NAME), [])

        asyncio.run(main())
        self.assertEqual([tool.get_name() for tool in provider.get_tools()], ['echo'])

    def test_config_source(self):
        class Waiting(Gmcp.ConfigSource):
            async def do_load(self, _load):
                self.order = ['waits']
                await asyncio.sleep(0)
                self.order.append('has waited')

        class Raising(Waiting):
            async def do_load(self, _load):
                raise ValueError('no such list')

        class Refusing(Gmcp.ConfigSource):
            def do_load(self, load):
                load.return_error(GLib.Error.new_literal(Gmcp.error_quark(), 'refused', Gmcp.Error.FAILED))

        source = Waiting()

        async def main():
            return await source.load_async()

        self.assertTrue(Gmcp.run(main()))
        self.assertEqual(source.order, ['waits', 'has waited'])
        self.expect_error(Raising().load_async(), 'no such list')
        self.expect_error(Refusing().load_async(), 'refused')

    def expect_error(self, call, text):
        with self.assertRaises(GLib.Error) as caught:
            Gmcp.run(call)
        self.assertTrue(caught.exception.matches(Gmcp.error_quark(), Gmcp.Error.FAILED), caught.exception)
        self.assertIn(text, caught.exception.message)

    def test_close(self):
        library = Library()
        self.assertTrue(Gmcp.run(library.close_async()))
        self.expect_error(library.close_async(), 'closed already')

    def test_resources(self):
        library = Library()
        text, other, content = (Gmcp.run(library.read_async(f'mem:{name}')).get_contents(0) for name in ('text', 'result', 'bytes'))
        self.assertEqual([(text.get_uri(), text.get_text()), (other.get_uri(), other.get_text())],
                         [('mem:text', 'a text'), ('mem:other', 'b')])
        self.assertEqual(content.get_bytes().get_data(), b'\0\1')
        self.expect_error(library.read_async('mem:nonsense'), '')
        self.expect_error(library.read_async('mem:unknown'), 'mem:unknown')

    def test_prompts(self):
        library = Library()
        prompt = Gmcp.run(library.get_prompt_async('work'))
        self.assertEqual(prompt.get_message(0).get_content(0).get_text(), 'do work')
        with self.assertLogs('gmcp', 'WARNING'):
            self.expect_error(library.get_prompt_async('nothing'), 'ValueError: no such prompt')
        with self.assertNoLogs('gmcp', 'WARNING'):
            self.expect_error(library.get_prompt_async('none'), 'returned nothing')
            self.assertEqual(Gmcp.run(library.get_prompt_async('itself')).get_message(0).get_content(0).get_text(), 'by itself')

    def test_completion(self):
        variables = Gmcp.run(Variables().complete_variable_async('mem:{name}', 'name', 'x', None, None))
        self.assertEqual(list(variables.get_values()), ['xa', 'xb'])
        arguments = Gmcp.run(Arguments().complete_argument_async('work', 'name', 'y', None, None))
        self.assertEqual((list(arguments.get_values()), arguments.get_total()), (['y'], 7))
        self.expect_error(Arguments().complete_argument_async('work', 'name', 'bad', None, None), '')
        library = Library()
        for complete, value in (library.complete_variable_async, 'a variable'), (library.complete_argument_async, 'an argument'):
            result = Gmcp.run(complete('mem:{name}', 'name', 'x', None, None))
            self.assertEqual(list(result.get_values()), [value])

    def test_derived(self):
        """A class puts functions in place of those of the class above without changing that one."""
        with self.assertRaisesRegex(TypeError, 'Gmcp.ToolProvider among the bases again'):
            class Loud(Echo):
                def do_call_tool(self, _call):
                    return 'LOUD'

        class Quiet(Echo):
            def whisper(self):
                return 'quiet'

        class Strange(Echo, Gmcp.ToolProvider):
            def do_call_tool(self, _call):
                return 'strange'

        registry = make_registry()
        texts = [str(Gmcp.run(kind(registry).call_tool_async('echo', {'text': 'a'}))) for kind in (Strange, Echo, Quiet)]
        self.assertEqual(texts, ['strange'] + ['{"counted": "1 words"}'] * 2)


if __name__ == '__main__':
    unittest.main()
