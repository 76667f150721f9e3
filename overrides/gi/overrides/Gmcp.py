# SPDX-License-Identifier: LGPL-2.1-or-later
"""What PyGObject adds to Gmcp in Python.

- An `_async` function that gets no callback gives an AsyncCall, which can be awaited: under asyncio, and in
  `async def` functions that this module runs in a GLib main loop.
- Where the library takes JSON, as a Json.Node or as text, dicts, lists and other values are taken as well.
- Where an argument or a property that an object is made with is a Gio.File, a path is taken as well.
- Properties of Gmcp.CallOptions can be given to a call as keyword arguments, and `progress=FUNCTION`.
- Handlers of tools, and the functions of a provider's interfaces that get a request, can be `async def`, return
  what the request is to return, and raise; an RpcException is an error with a code and data, on either side.
- Handlers of the signals that ask something can be `async def`; a question whose handler raises is cancelled.
"""
import collections.abc
import functools
import inspect
import json
import logging
import math
import os
import re
import sys
import types
import typing

from gi.module import get_introspection_module
from gi.repository import Gio, GLib, GObject, Json

Gmcp = get_introspection_module('Gmcp')
__all__ = ['AsyncCall', 'RpcException', 'run']

_log = logging.getLogger('gmcp')
_running_tasks = set()


# Values and JSON

def _dump(value, **keywords):
    return json.dumps(value, ensure_ascii=False, allow_nan=False, **keywords)


def _to_text(value):
    return value if value is None or isinstance(value, str) else _dump(value)


def _to_text_or_node(value):
    """For a function that has a twin: what is no text is written as json-glib would."""
    return value if value is None or isinstance(value, (str, Json.Node)) else _dump(value, separators=(',', ':'))


def _parse_int(digits):
    # A Json.Node has 64 bits for it.
    value = int(digits)
    return value if -2**63 <= value < 2**63 else float(value)


def _to_node(value):
    """For a function that takes a Json.Node alone: json-glib reads more than JSON, and any depth."""
    if value is None or isinstance(value, Json.Node):
        return value
    try:
        return Json.from_string(_dump(json.loads(_to_text(value), parse_int=_parse_int)))
    except (ValueError, OverflowError, RecursionError) as error:
        raise GLib.Error.new_literal(Gmcp.error_quark(), str(error), Gmcp.Error.INVALID_ARGUMENT) from error


def _to_file(value):
    return Gio.File.new_for_path(os.fspath(value)) if isinstance(value, (str, os.PathLike)) else value


# An escape; the group is half a pair of surrogates, which Python takes and cannot write.
_ESCAPE = re.compile(r'\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)')


def _from_text(text):
    if text is None:
        return None
    if '\\ud' in text or '\\uD' in text:
        text = _ESCAPE.sub(lambda escape: r'\ufffd' if escape[1] else escape[0], text)
    return json.loads(text)


def _to_result(value):
    """What a handler returned, as the result of its call."""
    if isinstance(value, Gmcp.ToolResult):
        return value
    if value is None or isinstance(value, str):
        return Gmcp.ToolResult.new_text(value or '')
    if isinstance(value, Gmcp.Content):
        return Gmcp.ToolResult.new_contents([value], False)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, Gmcp.Content) for item in value):
        return Gmcp.ToolResult.new_contents(list(value), False)
    if isinstance(value, dict):
        return Gmcp.ToolResult.new_structured(_to_text(value), False)
    return Gmcp.ToolResult.new_text(_to_text(value))


class RpcException(GLib.Error):
    """A JSON-RPC error: the code of the wire, a message, and data of Python's, or None.

    What `await` raises where a server answered with an error; and what a handler raises so that its caller gets
    such an error.
    """

    def __init__(self, code, message, data=None):
        super().__init__(message, GLib.quark_to_string(Gmcp.rpc_error_quark()), code)
        self.data = data


# GLib's main context under asyncio

class _GLibSelector:
    """An asyncio loop's selector that lets GLib's main context run while the loop waits."""

    def __init__(self, selector, context):
        self._selector = selector
        self._context = context
        # A source that is ready at a time that select() sets, or with one of the files of the loop.
        self._source = GLib.timeout_source_new(GLib.MAXINT32)
        self._source.set_name('[gmcp] asyncio')
        self._source.add_unix_fd(selector.fileno(), GLib.IOCondition.IN)
        self._source.set_callback(lambda *_data: GLib.SOURCE_CONTINUE)
        self._source.attach(context)

    def __getattr__(self, name):
        return getattr(self._selector, name)

    def select(self, timeout=None):
        events = self._selector.select(0)
        if events or (timeout is not None and timeout <= 0):
            self._context.iteration(False)
            return events
        ready = -1 if timeout is None else GLib.get_monotonic_time() + math.ceil(timeout * 1000000)
        self._source.set_ready_time(ready)
        self._context.iteration(True)
        return self._selector.select(0)

    def close(self):
        self._source.destroy()
        self._selector.close()


def _find_running_loop():
    """The asyncio loop that runs in this thread. Where asyncio was never imported, none does."""
    asyncio = sys.modules.get('asyncio')
    if asyncio is None:
        return None
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _join_context(loop):
    """Lets an asyncio loop run this thread's main context, unless it does, or the context runs the loop."""
    selector = getattr(loop, '_selector', None)
    if isinstance(selector, _GLibSelector):
        return
    if type(selector).__module__ != 'selectors' or not hasattr(selector, 'fileno'):
        if GLib.main_depth() > 0:
            return
        raise RuntimeError(f'{type(loop).__name__} cannot run GLib\'s main context: use Gmcp.run() or asyncio.run()')
    context = GLib.MainContext.ref_thread_default()
    if not context.acquire():
        raise RuntimeError('Another thread runs this main context: push one of this thread\'s own first')
    context.release()
    loop._selector = _GLibSelector(selector, context)


def run(awaitable):
    """Runs a coroutine or an AsyncCall under asyncio, with GLib's main context, and gives its result."""
    import asyncio

    async def main():
        _join_context(asyncio.get_running_loop())
        return await awaitable

    return asyncio.run(main())


class AsyncCall(collections.abc.Coroutine):
    """A call that was started without a callback: `await` gives its result, or raises its error.

    A call that is cancelled, as by asyncio.wait_for(), is cancelled in the library, too. It is a coroutine, so that
    tasks can be made of it, several of one call as well.
    """

    def __init__(self, cancellable, options, convert=None):
        self._cancellable = cancellable
        self._options = options
        self._convert = convert
        self._callbacks = []
        self._waits = {}
        self._done = False
        self._error = None
        self._value = None

    def done(self):
        """Whether the call has ended."""
        return self._done

    def cancel(self):
        """Cancels the call, which then ends with an error soon."""
        self._cancellable.cancel()

    def result(self):
        """The result of a call that is done; raises its error."""
        if not self._done:
            raise RuntimeError('The call is not done')
        if self._error is not None:
            raise self._error
        return self._value

    def add_done_callback(self, callback):
        """Calls callback(call) when the call ends, or at once where it has ended."""
        if self._done:
            callback(self)
        else:
            self._callbacks.append(callback)

    def _complete(self, finish, arguments):
        try:
            value = finish(*arguments)
            self._value = value if self._convert is None else self._convert(value)
        except GLib.Error as error:
            self._error = self._add_data(error)
        except (ValueError, RecursionError) as error:
            self._error = error
        self._done = True
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def _add_data(self, error):
        dup_error_data = getattr(self._options, 'dup_error_data_json', None)
        try:
            data = _from_text(dup_error_data()) if dup_error_data is not None else None
        except (ValueError, RecursionError) as problem:
            _log.warning('The data of an error are left out: %s', problem)
            data = None
        if error.domain == GLib.quark_to_string(Gmcp.rpc_error_quark()):
            return RpcException(error.code, error.message, data)
        error.data = data
        return error

    def __await__(self):
        if self._done:
            return self.result()
        loop = _find_running_loop()
        if loop is None:
            yield self
        else:
            _join_context(loop)
            future = loop.create_future()
            self.add_done_callback(lambda _call: None if future.done() else future.set_result(None))
            try:
                yield from future
            except BaseException:
                self.cancel()
                raise
        return self.result()


    def _find_task(self):
        return sys.modules['asyncio'].current_task() if _find_running_loop() is not None else None

    def send(self, value):
        task = self._find_task()
        wait = self._waits.pop(task, None) or self.__await__()
        awaited = wait.send(value)
        self._waits[task] = wait
        return awaited

    def throw(self, *exception):
        self.cancel()
        return (self._waits.pop(self._find_task(), None) or self.__await__()).throw(*exception)

    def close(self):
        if not self._done:
            self.cancel()


class _Task:
    """A coroutine that runs in a GLib main loop without asyncio, and awaits AsyncCalls only."""

    _NEEDS_ASYNCIO = 'Only asyncio can wait for this: run the program with Gmcp.run()'

    def __init__(self, coroutine, on_done):
        self._coroutine = coroutine
        self._on_done = on_done
        self._awaited = None
        self._step()

    def cancel(self):
        if self._awaited is not None:
            self._awaited.cancel()

    def _step(self, _call=None):
        problem = None
        while True:
            try:
                awaited = self._coroutine.send(None) if problem is None else self._coroutine.throw(problem)
            except StopIteration as stop:
                self._on_done(stop.value, None)
                return
            except Exception as error:
                self._on_done(None, self._explain(error))
                return
            if isinstance(awaited, AsyncCall):
                self._awaited = awaited
                awaited.add_done_callback(self._step)
                return
            problem = RuntimeError(self._NEEDS_ASYNCIO)

    def _explain(self, error):
        # Most of asyncio's functions look for its loop before they wait.
        if type(error) is not RuntimeError or str(error) != 'no running event loop':
            return error
        explained = RuntimeError(self._NEEDS_ASYNCIO)
        explained.__cause__ = error
        return explained


def _start(coroutine, on_done):
    """Runs a coroutine, calls on_done(value, error), and gives what cancels it."""
    loop = _find_running_loop()
    if loop is None:
        return _Task(coroutine, on_done)

    async def main():
        return await coroutine

    def end(task):
        _running_tasks.discard(task)
        if task.cancelled():
            error = GLib.Error.new_literal(Gio.io_error_quark(), 'Operation was cancelled', Gio.IOErrorEnum.CANCELLED)
        else:
            error = task.exception()
        on_done(None if error is not None else task.result(), error)

    task = loop.create_task(main())
    _running_tasks.add(task)
    task.add_done_callback(end)
    return task


# Handlers

def _report_exception(error):
    """Tells the author of a handler of an exception that is no answer; gives what its peer reads."""
    _log.warning('A handler raised an exception', exc_info=error)
    text = str(error)
    return f'{type(error).__name__}: {text}' if text else type(error).__name__


def _return_error(request, error):
    # What PyGObject makes of a GLib.Error for C has no data.
    if isinstance(error, RpcException):
        try:
            data_json = None if error.data is None else _dump(error.data)
            if data_json is not None:
                data_json.encode()
        except (TypeError, ValueError, RecursionError) as problem:
            _log.warning('The data of an error are left out: %s', problem)
            data_json = None
        request.return_rpc_error(error.code, error.message, data_json)
    else:
        request.return_error(error)


def _answer_call(call, value, error):
    if isinstance(error, GLib.Error):
        _return_error(call, error)
    elif error is not None:
        call.return_result(Gmcp.ToolResult.new_error(_report_exception(error)))
    else:
        call.return_result(_to_result(value))


def _answer_other(return_value):
    """Answers a request that is no call of a tool, and has no results that are errors."""
    def answer(request, value, error):
        if isinstance(error, GLib.Error):
            _return_error(request, error)
        elif error is not None:
            text = _report_exception(error)
            request.return_error(GLib.Error.new_literal(Gmcp.error_quark(), text, Gmcp.Error.FAILED))
        else:
            return_value(request, value)
    return answer


def _needs_value(return_value):
    def check(request, value):
        if value is None:
            # Nobody gets this where the function has answered by itself.
            raise GLib.Error.new_literal(Gmcp.error_quark(), 'The function returned nothing', Gmcp.Error.FAILED)
        return_value(request, value)
    return check


def _return_success(request, _value):
    (getattr(request, 'return_success', None) or request.return_)()


def _return_read(request, value):
    if isinstance(value, str):
        value = Gmcp.ResourceResult.new_text(request.get_uri(), None, value)
    elif isinstance(value, bytes):
        value = Gmcp.ResourceResult.new_bytes(request.get_uri(), None, GLib.Bytes.new(value))
    request.return_result(value)


def _return_prompt(request, value):
    request.return_result(Gmcp.PromptResult.new_text(None, value) if isinstance(value, str) else value)


def _return_completion(request, value):
    if isinstance(value, (list, tuple)):
        request.return_values(value)
    else:
        request.return_result(value)


# By interface or class, the functions that get a request, and how it is answered.
_ANSWERS = {
    'ToolProvider': {
        'do_call_tool': _answer_call,
        'do_load': _answer_other(_return_success),
        'do_search': _answer_other(lambda request, value: request.return_matches(value or [])),
        'do_close': _answer_other(_return_success),
    },
    'ResourceProvider': {
        'do_read': _answer_other(_needs_value(_return_read)),
        'do_complete_variable': _answer_other(_needs_value(_return_completion)),
    },
    'ConfigSource': {
        'do_load': _answer_other(_return_success),
    },
    'PromptProvider': {
        'do_get_prompt': _answer_other(_needs_value(_return_prompt)),
        'do_complete_argument': _answer_other(_needs_value(_return_completion)),
    },
}


def _follow_cancellable(request, task):
    """Cancels a handler's task when its caller cancels; gives what ends that."""
    cancellable = request.get_cancellable() if hasattr(request, 'get_cancellable') else None
    if cancellable is None:
        return lambda: None
    def cancel(_cancellable):
        # Whoever cancels may be in another thread.
        loop = task.get_loop() if hasattr(task, 'get_loop') else None
        if loop is None:
            task.cancel()
        else:
            loop.call_soon_threadsafe(task.cancel)

    handler = GObject.Object.connect(cancellable, 'cancelled', cancel)
    if cancellable.is_cancelled():
        cancel(cancellable)
    return lambda: cancellable.handler_disconnect(handler)


def _answer(answer, request, value, error):
    """Answers a request; a value that cannot be its answer is its error."""
    try:
        answer(request, value, error)
    except Exception as problem:
        answer(request, None, problem)


def _handle(answer, request, function, arguments):
    """Calls a handler. One that returns nothing at once answers by itself, then or later."""
    try:
        value = function(*arguments)
    except Exception as error:
        _answer(answer, request, None, error)
        return
    if not inspect.isawaitable(value):
        if value is not None:
            _answer(answer, request, value, None)
        return
    ends = []

    def on_done(value, error):
        while ends:
            ends.pop()()
        _answer(answer, request, value, error)

    async def wait():
        return await value

    task = _start(wait(), on_done)
    if not getattr(task, 'done', lambda: False)():
        ends.append(_follow_cancellable(request, task))


# Questions

_QUESTIONS = ('input-requested', 'call-requested', 'withheld-call-requested', 'config-input-requested', 'folder-requested')


class _QuestionHandler:
    """A handler of a signal that asks something. A question whose handler raises is cancelled."""

    def __init__(self, function):
        self._function = function

    def __eq__(self, other):
        # disconnect_by_func() is given the function.
        return self._function == getattr(other, '_function', other)

    def __hash__(self):
        return hash(self._function)

    def __call__(self, owner, request, *data):
        try:
            value = self._function(owner, request, *data)
        except Exception as error:
            _end_question(request, None, error)
            return
        if not inspect.isawaitable(value):
            return

        async def wait():
            return await value

        _start(wait(), functools.partial(_end_question, request))


def _end_question(request, _value, error):
    if error is None:
        return
    request.cancel()
    if not (isinstance(error, GLib.Error) and error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED)):
        sys.excepthook(type(error), error, error.__traceback__)


def _adapt_connect(cls):
    """Lets handlers of questions be coroutines, and raise."""
    if cls.connect is not GObject.Object.connect:
        return

    def wrap(original):
        @functools.wraps(original)
        def connect(self, signal, handler, *data):
            is_question = isinstance(signal, str) and signal.replace('_', '-') in _QUESTIONS and callable(handler)
            return original(self, signal, _QuestionHandler(handler) if is_question else handler, *data)
        return connect

    cls.connect = wrap(cls.connect)
    cls.connect_after = wrap(cls.connect_after)


def _is_request(value):
    return hasattr(value, 'return_error')


def _wrap_handler(function):
    """A tool's handler: its last request is the call."""
    if function is None:
        return None

    def handle(*arguments):
        request = next(argument for argument in reversed(arguments) if _is_request(argument))
        _handle(_answer_call, request, function, arguments)
    return handle


def _wrap_function(answer, function):
    """A function of a provider, such as do_call_tool()."""
    def handle(self, request):
        _handle(answer, request, function, (self, request))
    return handle


def _adapt_provider(interface, answers):
    """Adapts each class that implements an interface of providers, or is derived from a class of the library."""
    virtual = {'do_' + function.get_name() for function in interface.__info__.get_vfuncs()}

    def init_subclass(cls, **keywords):
        super(interface, cls).__init_subclass__(**keywords)
        own = virtual.intersection(vars(cls))
        if own and issubclass(interface, GObject.GInterface) and interface not in cls.__bases__:
            # PyGObject would put them in the place of those of the class above.
            raise TypeError(f'{cls.__name__} has {", ".join(sorted(own))} of its own: '
                            f'name Gmcp.{interface.__name__} among the bases again')
        for name, answer in answers.items():
            function = vars(cls).get(name)
            if inspect.isfunction(function):
                setattr(cls, name, _wrap_function(answer, function))
        if interface is Gmcp.ToolProvider:
            _adapt_connect(cls)

    interface.__init_subclass__ = classmethod(init_subclass)


# Tools that are Python functions

_JSON_TYPES = {str: 'string', int: 'integer', float: 'number', bool: 'boolean', list: 'array', dict: 'object'}
_NULL = {'type': 'null'}
_UNIONS = (typing.Union, getattr(types, 'UnionType', typing.Union))


def _describe_union(members):
    """The schema of a value of one of several types."""
    schemas = [_describe_type(member) for member in members]
    if {} in schemas:
        return {}
    if len(schemas) == 2 and schemas[1] == _NULL and 'type' in schemas[0]:
        return {**schemas[0], 'type': [schemas[0]['type'], 'null']}
    return {'anyOf': schemas}


def _describe_type(annotation):
    if annotation is type(None):
        return _NULL
    arguments = typing.get_args(annotation)
    origin = typing.get_origin(annotation) or annotation
    if origin in _UNIONS:
        # None last, wherever it was named.
        return _describe_union(sorted(arguments, key=lambda argument: argument is type(None)))
    if origin is typing.Literal:
        return {'enum': list(arguments)}
    schema = {'type': _JSON_TYPES[origin]} if origin in _JSON_TYPES else {}
    if origin is list and arguments:
        schema['items'] = _describe_type(arguments[0])
    return schema


def _describe_arguments(function):
    """The input schema of a function, from its parameters; and the parameter that takes the call, if any."""
    hints = typing.get_type_hints(function)
    call_name = None
    properties = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f'{function.__name__}: a tool\'s parameters have names of their own')
        if hints.get(name) is Gmcp.ToolCall:
            call_name = name
            continue
        properties[name] = _describe_type(hints.get(name))
        if parameter.default is parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            properties[name]['default'] = parameter.default
    return {'type': 'object', 'properties': properties, 'required': required, 'additionalProperties': False}, call_name


def _tool(self, function=None, /, *, name=None, description=None):
    """Makes a tool of a function, by its name, its documentation and the types of its parameters.

    A parameter of type Gmcp.ToolCall gets the call. What the function returns or raises is the tool's answer.
    """
    def add(function):
        tool_name = name or getattr(function, '__name__', '<lambda>')
        if tool_name == '<lambda>':
            raise TypeError('A function without a name becomes a tool with name=')
        schema, call_name = _describe_arguments(function)

        def handler(call, *_data):
            arguments = call.arguments
            if call_name is not None:
                arguments[call_name] = call
            value = function(**arguments)
            # A function that has the call may answer it later.
            return '' if value is None and call_name is None else value

        self.add_function(tool_name, description or inspect.getdoc(function) or '', schema, handler)
        return function

    return add if function is None else add(function)


# Functions of the library

def _type_info(argument):
    get_type_info = getattr(argument, 'get_type_info', None) or argument.get_type
    return get_type_info()


def _interface_name(argument):
    info = _type_info(argument)
    if info.get_tag_as_string() != 'interface':
        return None
    interface = info.get_interface()
    return f'{interface.get_namespace()}.{interface.get_name()}'


def _find_conversion(argument, has_twin):
    """How a value of Python's becomes what the library takes; nothing where it does already."""
    interface = _interface_name(argument)
    name = argument.get_name()
    if interface == 'Json.Node':
        return _to_text_or_node if has_twin else _to_node
    if interface == 'Gio.File':
        return _to_file
    if interface is not None and interface.startswith('Gmcp.') and interface.endswith('ToolFunc'):
        return _wrap_handler
    if interface is None and (name == 'json' or name.endswith('_json')) and _type_info(argument).get_tag_as_string() == 'utf8':
        return _to_text
    return None


def _make_options(keywords):
    progress = keywords.pop('progress', None)
    if 'meta' in keywords:
        keywords['meta_json'] = keywords.pop('meta')
    options = Gmcp.CallOptions(**keywords)
    if progress is not None:
        options.connect('progress', lambda _options, *report: progress(*report))
    return options


# By class, what gives JSON text, or a list of texts, and has no _json in its name: awaited, it gives values of Python's.
_GIVE_JSON = {'Caller': ['ask_async'], 'AuditLog': ['find_async', 'read_async', 'search_async']}


def _from_texts(value):
    return _from_text(value) if isinstance(value, str) else [_from_text(text) for text in value]


def _make_async(cls, name, raw, finish, names, has_options):
    """A function that gives an AsyncCall where it gets no callback."""
    n_arguments = names.index('callback')
    convert = _from_texts if name in _GIVE_JSON.get(cls.__name__, ()) else None

    def start(owner, arguments, keywords):
        if len(arguments) > n_arguments and arguments[n_arguments] is not None or keywords.get('callback') is not None:
            return getattr(owner, raw)(*arguments, **keywords)
        if len(arguments) > n_arguments:
            arguments = arguments[:n_arguments]
        keywords.pop('callback', None)
        values = dict(zip(names, arguments))
        for key in names[len(arguments):n_arguments]:
            if key in keywords:
                values[key] = keywords.pop(key)
        if has_options:
            if keywords and values.get('options') is not None:
                raise TypeError(f'options are given, and {", ".join(keywords)} beside them')
            values['options'] = values.get('options') or _make_options(keywords)
        elif keywords:
            raise TypeError(f'{name}() has no argument {", ".join(keywords)}')
        values['cancellable'] = values.get('cancellable') or Gio.Cancellable()
        call = AsyncCall(values['cancellable'], values.get('options'), convert)
        bound_finish = getattr(cls, finish) if isinstance(owner, type) else functools.partial(getattr(cls, finish), owner)
        getattr(owner, raw)(callback=lambda _source, result, *_data: call._complete(bound_finish, (result,)), **values)
        return call

    return start


def _make_converting(raw):
    def start(owner, arguments, keywords):
        return getattr(owner, raw)(*arguments, **keywords)
    return start


def _add_twin(start, start_twin, names, twin_names):
    """Sends JSON by the twin of a function, which takes text: that keeps each number, and is read strictly."""
    position = next(position for position, name in enumerate(twin_names) if name not in names)
    name, twin_name = names[position], twin_names[position]

    def choose(owner, arguments, keywords):
        value = arguments[position] if position < len(arguments) else keywords.get(name)
        if not isinstance(value, str):
            return start(owner, arguments, keywords)
        if name in keywords:
            keywords[twin_name] = keywords.pop(name)
        return start_twin(owner, arguments, keywords)
    return choose


def _wrap(cls, name, function, twin):
    """Puts a function in place of one of the library's that takes JSON or handlers, or ends in _async.

    Its twin is the function that takes text in place of a Json.Node, if there is one.
    """
    arguments = function.get_arguments()
    names = [argument.get_name() for argument in arguments]
    # Interfaces that one class implements have functions of the same name.
    raw = f'_raw_{cls.__name__}_{name}'
    conversions = {}
    for argument in arguments:
        convert = _find_conversion(argument, twin is not None)
        if convert is not None:
            conversions[argument.get_name()] = convert
    finish = None
    if name.endswith('_async') and names[-2:-1] == ['callback']:
        base = name[:-len('_async')]
        finish = next((other for other in (base + '_finish', base[:-len('_json')] + '_finish') if other in vars(cls)), None)
    if finish is not None:
        has_options = any(_interface_name(argument) == 'Gmcp.CallOptions' for argument in arguments)

        def make(raw, names):
            return _make_async(cls, name, raw, finish, names, has_options)
    elif conversions:
        def make(raw, _names):
            return _make_converting(raw)
    else:
        return
    start = make(raw, names)
    if twin is not None:
        twin_names = [argument.get_name() for argument in twin.get_arguments()]
        setattr(cls, raw + '_twin', twin)
        start = _add_twin(start, make(raw + '_twin', twin_names), names, twin_names)

    def convert_all(given, keywords):
        given = list(given)
        for argument, convert in conversions.items():
            position = names.index(argument)
            if position < len(given):
                given[position] = convert(given[position])
            elif argument in keywords:
                keywords[argument] = convert(keywords[argument])
        return given

    if function.is_method():
        def wrapper(self, *given, **keywords):
            return start(self, convert_all(given, keywords), keywords)
        wrapped = wrapper
    elif function.is_constructor():
        def wrapper(owner, *given, **keywords):
            return start(owner, convert_all(given, keywords), keywords)
        wrapped = classmethod(wrapper)
    else:
        def wrapper(*given, **keywords):
            return start(cls, convert_all(given, keywords), keywords)
        wrapped = staticmethod(wrapper) if isinstance(cls, type) else wrapper
    wrapper.__name__ = name
    wrapper.__qualname__ = f'{cls.__name__}.{name}'
    wrapper.__doc__ = function.__doc__
    setattr(cls, raw, function)
    setattr(cls, name, wrapped)


def _adapt_init(cls):
    """Where an object is made with properties that are files or JSON text, paths and values of Python's do as well."""
    conversions = {}
    for pspec in cls.list_properties():
        if pspec.value_type.is_a(Gio.File):
            conversions[pspec.name.replace('-', '_')] = _to_file
        elif pspec.name.endswith('-json') and pspec.flags & GObject.ParamFlags.WRITABLE:
            conversions[pspec.name.replace('-', '_')] = _to_text
    if not conversions:
        return
    init = cls.__init__

    def make(self, *arguments, **keywords):
        for name, convert in conversions.items():
            if name in keywords:
                keywords[name] = convert(keywords[name])
        init(self, *arguments, **keywords)
    cls.__init__ = make


def _adapt_options(cls):
    """What has a setter that says what is wrong with a value is set by it: a property can only log that."""
    init = cls.__init__

    def make(self, *arguments, **keywords):
        checked = {name: keywords.pop(name) for name in ('meta_json', 'traceparent', 'tracestate', 'baggage') if name in keywords}
        init(self, *arguments, **keywords)
        for name, value in checked.items():
            getattr(self, 'set_' + name)(value)
    cls.__init__ = make


def _add_iteration(cls):
    """What holds several things of one kind, such as the contents of a result, can be iterated."""
    counts = [name for name in vars(cls) if name.startswith('get_n_')]
    if len(counts) != 1 or hasattr(cls, '__iter__'):
        return
    count = vars(cls)[counts[0]]
    get = vars(cls).get('get_' + counts[0][len('get_n_'):-1])
    if get is not None:
        cls.__iter__ = lambda self: (get(self, position) for position in range(count(self)))


def _add_property(cls, name, method):
    """A value of Python's for what a method gives as JSON text."""
    if hasattr(cls, method):
        setattr(cls, name, property(lambda self: _from_text(getattr(self, method)())))


def _is_function(value):
    return hasattr(value, 'get_arguments') and hasattr(value, 'is_method')


def _name_twin(name):
    return name[:-len('async')] + 'json_async' if name.endswith('_async') else name + '_json'


def _adapt():
    for name in dir(Gmcp):
        cls = getattr(Gmcp, name)
        if _is_function(cls):
            _wrap(Gmcp, name, cls, None)
        if not isinstance(cls, type) or not hasattr(cls, '__info__'):
            continue
        functions = {member: function for member, function in vars(cls).items() if _is_function(function)}
        for member, function in functions.items():
            takes_node = any(_interface_name(argument) == 'Json.Node' for argument in function.get_arguments())
            _wrap(cls, member, function, functions.get(_name_twin(member)) if takes_node else None)
        _add_iteration(cls)
        if issubclass(cls, GObject.Object):
            _adapt_init(cls)
            if issubclass(cls, (Gmcp.ToolProvider, Gmcp.Client, Gmcp.ManagedServer)):
                _adapt_connect(cls)
    _adapt_options(Gmcp.CallOptions)
    _add_property(Gmcp.ToolCall, 'arguments', 'get_arguments_json')
    _add_property(Gmcp.ToolResult, 'structured_content', 'dup_structured_content_json')
    _add_property(Gmcp.Tool, 'input_schema', 'dup_input_schema_json')
    _add_property(Gmcp.Tool, 'output_schema', 'dup_output_schema_json')
    Gmcp.ToolResult.__str__ = lambda self: self.dup_text()
    Gmcp.ToolRegistry.tool = _tool
    for name, answers in _ANSWERS.items():
        _adapt_provider(getattr(Gmcp, name), answers)


_adapt()
