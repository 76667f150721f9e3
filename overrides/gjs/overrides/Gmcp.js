// SPDX-License-Identifier: LGPL-2.1-or-later
// What GJS adds to Gmcp in JavaScript: an _async function that gets no callback gives a promise, arguments
// at its end can be left out, objects stand for JSON, the library's lists can be iterated, and what a handler
// returns or throws ends its call; what it throws cancels its question.

const {Gio, GLib, GObject} = imports.gi;

// The namespace, once it is there.
let Gmcp;

// JSON

function _isPlain(value) {
    return Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
}

function _toText(value) {
    return _isPlain(value) || ['number', 'boolean'].includes(typeof value) ? JSON.stringify(value) : value;
}

// Functions of the library

// Functions of these names give something at once, and take neither JSON nor handlers.
const GETTERS = /^(dup|get|is|list)_(?!.*_async$)|_finish$/;

// GJS writes a function of the library as text with the names of the arguments that it has in JavaScript.
function _listArguments(func) {
    return /\(([^)]*)\)/.exec(`${func}`)?.[1].split(', ') ?? [];
}

function _findConversion(argument) {
    if (/(^|_)json$/.test(argument))
        return _toText;
    return argument === 'func' ? func => typeof func === 'function' ? _handle(ANSWERS.ToolProvider.call_tool, func) : func : null;
}

// A function that takes values in place of JSON, and handlers that throw or return; or null where it would be the same.
function _makeConverting(name, functions) {
    const func = functions.get(name);
    const names = _listArguments(func);
    const conversions = names.map(_findConversion);
    const twin = functions.get(name.endsWith('_async') ? name.replace(/_async$/, '_json_async') : `${name}_json`);
    const twinNames = twin ? _listArguments(twin) : [];
    const position = names.findIndex((argument, i) => twinNames[i] === `${argument}_json`);
    if (position < 0 && !conversions.some(convert => convert))
        return null;

    return function (...args) {
        // The twin that takes text in place of a Json.Node keeps each number, and reads strictly.
        const text = position >= 0 ? _toText(args[position]) : null;
        if (typeof text === 'string')
            return twin.apply(this, args.map((arg, i) => i === position ? text : arg));
        return func.apply(this, args.map((arg, i) => conversions[i] ? conversions[i](arg) : arg));
    };
}

// By class, what gives JSON text, or an array of texts, and has no _json in its name: the promise gives values.
const GIVE_JSON = {Caller: ['ask_async'], AuditLog: ['find_async', 'read_async', 'search_async']};

function _fromTexts(value) {
    return Array.isArray(value) ? value.map(text => JSON.parse(text)) : JSON.parse(value);
}

function _makePromising(owner, name, start, n_arguments, givesJson) {
    const base = name.slice(0, -'_async'.length);
    const finish = [`${base}_finish`, `${base.replace(/_json$/, '')}_finish`].find(other => other in owner);
    if (!finish)
        return null;

    return function (...args) {
        if (typeof args.at(-1) === 'function' || args.length >= n_arguments)
            return start.apply(this, args);
        while (args.length < n_arguments - 1)
            args.push(null);
        return new Promise((resolve, reject) => {
            start.call(this, ...args, (_source, result) => {
                try {
                    const value = this[finish](result);
                    resolve(givesJson ? _fromTexts(value) : value);
                } catch (error) {
                    reject(error);
                }
            });
        });
    };
}

function _adaptFunctions(owner, givingJson) {
    const functions = new Map();
    for (const name of Object.getOwnPropertyNames(owner)) {
        if (name === 'constructor' || GETTERS.test(name))
            continue;
        // Properties and functions of interfaces have getters. A class gets its own of those that give promises, since
        // what a program makes of the interface's with Gio._promisify() does not find its way back from a class.
        const descriptor = Object.getOwnPropertyDescriptor(owner, name);
        const func = descriptor?.get && name.endsWith('_async') ? owner[name] : descriptor?.value;
        if (typeof func === 'function')
            functions.set(name, func);
    }
    for (const [name, func] of functions) {
        const converting = _makeConverting(name, functions);
        const promising = name.endsWith('_async')
            ? _makePromising(owner, name, converting ?? func, func.length, givingJson.includes(name)) : null;
        if (converting || promising)
            owner[name] = promising ?? converting;
    }
}

// Handlers

// GJS gives an array of structures to C in another form than C takes.
function _newContents(contents, isError) {
    const content = contents.map(item => JSON.parse(item.dup_json()));
    return Gmcp.ToolResult.new_from_json(JSON.stringify({content, isError}));
}

function _toResult(value) {
    if (value instanceof Gmcp.ToolResult)
        return value;
    if (value === undefined || value === null || typeof value === 'string')
        return Gmcp.ToolResult.new_text(value ?? '');
    const contents = value instanceof Gmcp.Content ? [value] : value;
    if (Array.isArray(contents) && contents.length > 0 && contents.every(item => item instanceof Gmcp.Content))
        return _newContents(contents, false);
    const text = JSON.stringify(value);
    if (text === undefined)
        throw new TypeError(`A ${typeof value} is no result`);
    return text.startsWith('{') ? Gmcp.ToolResult.new_structured(text, false) : Gmcp.ToolResult.new_text(text);
}

function _returnSuccess(request) {
    request.return_success();
}

// For what cannot do without a value.
function _requireValue(answer) {
    return (request, value) => {
        // Nobody gets this where the function has answered by itself.
        if (value === undefined || value === null)
            throw new GLib.Error(Gmcp.Error, Gmcp.Error.FAILED, 'The function returned nothing');
        answer(request, value);
    };
}

// GJS would make an empty one of any object.
function _returnResult(request, value, type) {
    if (!(value instanceof type))
        throw new TypeError(`${value} is no Gmcp.${type.name.replace(/^Gmcp_/, '')}`);
    request.return_result(value);
}

const _returnRead = _requireValue((request, value) => {
    if (typeof value === 'string')
        value = Gmcp.ResourceResult.new_text(request.get_uri(), null, value);
    else if (value instanceof Uint8Array)
        value = Gmcp.ResourceResult.new_bytes(request.get_uri(), null, new GLib.Bytes(value));
    _returnResult(request, value, Gmcp.ResourceResult);
});

const _returnPrompt = _requireValue((request, value) => {
    _returnResult(request, typeof value === 'string' ? Gmcp.PromptResult.new_text(null, value) : value, Gmcp.PromptResult);
});

const _returnCompletion = _requireValue((request, value) => {
    if (Array.isArray(value))
        request.return_values(value);
    else
        _returnResult(request, value, Gmcp.CompletionResult);
});

// By interface or class, the functions that get a request, and how it is answered with what they return.
const ANSWERS = {
    ToolProvider: {
        call_tool: (call, value) => call.return_result(_toResult(value)),
        load: _returnSuccess,
        search: (request, value) => request.return_matches(value ?? []),
        close: _returnSuccess,
    },
    ResourceProvider: {
        read: _returnRead,
        complete_variable: _returnCompletion,
    },
    PromptProvider: {
        get_prompt: _returnPrompt,
        complete_argument: _returnCompletion,
    },
    ConfigSource: {
        load: _returnSuccess,
    },
};

// Signals that ask something.
const QUESTIONS = ['input-requested', 'call-requested', 'withheld-call-requested', 'config-input-requested', 'folder-requested'];

function _log(level, text, error) {
    GLib.log_structured('Gmcp', level, {MESSAGE: `A handler threw: ${text}\n${error?.stack ?? ''}`});
}

function _cancelOnError(handler) {
    function end(request, error) {
        request.cancel();
        _log(GLib.LogLevelFlags.LEVEL_MESSAGE, error?.message || `${error}`, error);
    }

    return function (owner, request) {
        try {
            const value = handler.call(this, owner, request);
            if (!(value instanceof Promise))
                return value;
            value.catch(error => end(request, error));
        } catch (error) {
            end(request, error);
        }
        return true;
    };
}

function _adaptConnect(prototype) {
    for (const name of ['connect', 'connect_after']) {
        const original = prototype[name];
        if (original !== GObject.Object.prototype[name])
            continue;
        prototype[name] = function (signal, handler) {
            const asks = QUESTIONS.includes(`${signal}`.replace(/_/g, '-')) && typeof handler === 'function';
            return original.call(this, signal, asks ? _cancelOnError(handler) : handler);
        };
    }
}

function _fail(request, error) {
    if (error instanceof GLib.Error) {
        request.return_error(error);
        return;
    }
    const text = error?.message || `${error}`;
    _log(GLib.LogLevelFlags.LEVEL_WARNING, text, error);
    if (request instanceof Gmcp.ToolCall)
        request.return_result(Gmcp.ToolResult.new_error(text));
    else
        request.return_error(new GLib.Error(Gmcp.Error, Gmcp.Error.FAILED, text));
}

// What the handler returns or throws, or what becomes of its promise, ends the request that it got. One that returns
// nothing at once answers by itself, then or later.
function _handle(answer, handler) {
    return function (request, ...args) {
        try {
            const value = handler.call(this, request, ...args);
            if (value instanceof Promise)
                value.then(result => answer(request, result)).catch(error => _fail(request, error));
            else if (value !== undefined && value !== null)
                answer(request, value);
        } catch (error) {
            _fail(request, error);
        }
    };
}

// What has a setter that says what is wrong with a value is set by it: a property can only log that.
function _adaptOptions(prototype) {
    const init = prototype._init;
    prototype._init = function (properties = {}, ...args) {
        const {meta_json, traceparent, tracestate, baggage, ...others} = properties ?? {};
        init.call(this, others, ...args);
        for (const [name, value] of Object.entries({meta_json, traceparent, tracestate, baggage})) {
            if (value !== undefined)
                this[`set_${name}`](value);
        }
    };
}

function _adaptClass(klass) {
    const interfaces = Object.hasOwn(klass, GObject.interfaces) ? klass[GObject.interfaces] : [];
    const parent = Object.getPrototypeOf(klass);

    if (interfaces.includes(Gmcp.ToolProvider))
        _adaptConnect(klass.prototype);
    for (const [name, answers] of Object.entries(ANSWERS)) {
        const type = Gmcp[name];
        if (!interfaces.includes(type) && !GObject.type_is_a(parent, type))
            continue;
        for (const [func, answer] of Object.entries(answers)) {
            const vfunc = `vfunc_${func}`;
            if (Object.hasOwn(klass.prototype, vfunc))
                klass.prototype[vfunc] = _handle(answer, klass.prototype[vfunc]);
        }
    }
}

function _init() {
    Gmcp = this;
    const iterate = Gio.ListStore.prototype[Symbol.iterator];

    for (const name of Object.getOwnPropertyNames(Gmcp)) {
        const type = Gmcp[name];
        for (const owner of [type, type?.prototype]) {
            if (owner && (typeof type === 'function' || typeof owner === 'object'))
                _adaptFunctions(owner, GIVE_JSON[name] ?? []);
        }
    }

    _adaptOptions(Gmcp.CallOptions.prototype);
    Gmcp.ToolResult.new_contents = _newContents;
    const classInit = GObject.Object._classInit;
    GObject.Object._classInit = function (klass) {
        _adaptClass(klass);
        return classInit.call(this, klass);
    };

    for (const name of ['Manager', 'ToolRegistry', 'Client', 'ManagedServer', 'MetaTools'])
        _adaptConnect(Gmcp[name].prototype);
    for (const name of ['Manager', 'RequirementsReport'])
        Gmcp[name].prototype[Symbol.iterator] = iterate;
    // The class of all other lists is no public one.
    Object.getPrototypeOf(new Gmcp.ToolRegistry().get_tools())[Symbol.iterator] = iterate;
}
