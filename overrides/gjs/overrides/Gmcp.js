// SPDX-License-Identifier: LGPL-2.1-or-later
// What GJS adds to Gmcp in JavaScript: an _async function that gets no callback gives a promise, arguments
// at its end can be left out, objects stand for JSON, the library's lists can be iterated, and what a handler
// throws ends its call, or cancels its question.

const {Gio, GLib, GObject} = imports.gi;

// Their second argument is JSON: as a Json.Node, or as text.
const TAKE_JSON = ['call_tool_async', 'call_tool_json_async', 'send_request_async', 'send_request_json_async'];

function _isPlain(value) {
    return Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
}

function _convert(name, args) {
    return TAKE_JSON.includes(name) && _isPlain(args[1]) ? [args[0], JSON.stringify(args[1]), ...args.slice(2)] : args;
}

function _addPromises(owner, name, functions) {
    const base = name.slice(0, -'_async'.length);
    const finish = [`${base}_finish`, `${base.replace(/_json$/, '')}_finish`].find(other => other in owner);
    if (!finish)
        return;

    owner[name] = function (...args) {
        const converted = _convert(name, args);
        // The twin that takes text keeps each number, and reads strictly.
        const takesText = TAKE_JSON.includes(name) && typeof converted[1] === 'string';
        const original = takesText && functions.get(`${base}_json_async`) || functions.get(name);
        if (typeof args.at(-1) === 'function' || args.length >= original.length)
            return original.apply(this, converted);
        while (converted.length < original.length - 1)
            converted.push(null);
        const self = this;
        return new Promise((resolve, reject) => {
            original.call(self, ...converted, (_source, result) => {
                try {
                    resolve(self[finish](result));
                } catch (error) {
                    reject(error);
                }
            });
        });
    };
}

// By interface or class, the functions that get a request, which they complete.
const COMPLETE_REQUESTS = {
    ToolProvider: ['call_tool', 'load', 'search', 'close'],
    ResourceProvider: ['read', 'complete_variable'],
    PromptProvider: ['get_prompt', 'complete_argument'],
    ConfigSource: ['load'],
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

function _fail(Gmcp, request, error) {
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

// What the handler throws, or its promise is rejected with, ends the request that it got.
function _catchErrors(Gmcp, handler) {
    return function (request, ...args) {
        try {
            const value = handler.call(this, request, ...args);
            if (value instanceof Promise)
                value.catch(error => _fail(Gmcp, request, error));
        } catch (error) {
            _fail(Gmcp, request, error);
        }
    };
}

function _adaptHandlers(owner, name, Gmcp) {
    const original = owner[name];
    owner[name] = function (...args) {
        return original.apply(this, args.map(arg => typeof arg === 'function' ? _catchErrors(Gmcp, arg) : arg));
    };
}

function _adaptClass(Gmcp, klass) {
    const interfaces = Object.hasOwn(klass, GObject.interfaces) ? klass[GObject.interfaces] : [];
    const parent = Object.getPrototypeOf(klass);

    if (interfaces.includes(Gmcp.ToolProvider))
        _adaptConnect(klass.prototype);
    for (const [name, functions] of Object.entries(COMPLETE_REQUESTS)) {
        const type = Gmcp[name];
        if (!interfaces.includes(type) && !GObject.type_is_a(parent, type))
            continue;
        for (const vfunc of functions.map(vfunc => `vfunc_${vfunc}`)) {
            if (Object.hasOwn(klass.prototype, vfunc))
                klass.prototype[vfunc] = _catchErrors(Gmcp, klass.prototype[vfunc]);
        }
    }
}

function _init() {
    const Gmcp = this;
    const iterate = Gio.ListStore.prototype[Symbol.iterator];

    for (const name of Object.getOwnPropertyNames(Gmcp)) {
        const type = Gmcp[name];
        for (const owner of [type, type?.prototype]) {
            if (owner && (typeof type === 'function' || typeof owner === 'object')) {
                const names = Object.getOwnPropertyNames(owner).filter(member => member.endsWith('_async'));
                const functions = new Map(names.map(member => [member, owner[member]]));
                for (const member of names)
                    _addPromises(owner, member, functions);
            }
        }
    }

    _adaptHandlers(Gmcp.Server.prototype, 'add_tool', Gmcp);
    _adaptHandlers(Gmcp.ToolRegistry.prototype, 'add_tool', Gmcp);
    _adaptHandlers(Gmcp.ToolRegistry.prototype, 'add_function', Gmcp);
    const classInit = GObject.Object._classInit;
    GObject.Object._classInit = function (klass) {
        _adaptClass(Gmcp, klass);
        return classInit.call(this, klass);
    };

    for (const name of ['Manager', 'ToolRegistry', 'Client', 'ManagedServer', 'MetaTools'])
        _adaptConnect(Gmcp[name].prototype);
    for (const name of ['Manager', 'RequirementsReport'])
        Gmcp[name].prototype[Symbol.iterator] = iterate;
    // The class of all other lists is no public one.
    Object.getPrototypeOf(new Gmcp.ToolRegistry().get_tools())[Symbol.iterator] = iterate;
}
