// SPDX-License-Identifier: LGPL-2.1-or-later
// What GJS adds to Gmcp in JavaScript: an _async function that gets no callback gives a promise, arguments
// at its end can be left out, objects stand for JSON, and the library's lists can be iterated.

const {Gio, Json} = imports.gi;

// Their second argument is JSON: as a Json.Node, or as text.
const TAKE_JSON = ['call_tool_async', 'call_tool_json_async', 'send_request_async', 'send_request_json_async'];

function _isPlain(value) {
    return Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
}

function _convert(name, args) {
    if (!TAKE_JSON.includes(name) || !_isPlain(args[1]))
        return args;
    const text = JSON.stringify(args[1]);
    return [args[0], name.endsWith('_json_async') ? text : Json.from_string(text), ...args.slice(2)];
}

function _addPromises(owner, name) {
    const base = name.slice(0, -'_async'.length);
    const finish = [`${base}_finish`, `${base.replace(/_json$/, '')}_finish`].find(other => other in owner);
    const original = owner[name];
    if (!finish)
        return;

    owner[name] = function (...args) {
        const converted = _convert(name, args);
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

function _init() {
    const Gmcp = this;
    const iterate = Gio.ListStore.prototype[Symbol.iterator];

    for (const name of Object.getOwnPropertyNames(Gmcp)) {
        const type = Gmcp[name];
        for (const owner of [type, type?.prototype]) {
            if (owner && (typeof type === 'function' || typeof owner === 'object')) {
                for (const member of Object.getOwnPropertyNames(owner)) {
                    if (member.endsWith('_async'))
                        _addPromises(owner, member);
                }
            }
        }
    }

    for (const name of ['Manager', 'RequirementsReport'])
        Gmcp[name].prototype[Symbol.iterator] = iterate;
    // The class of all other lists is no public one.
    Object.getPrototypeOf(new Gmcp.ToolRegistry().get_tools())[Symbol.iterator] = iterate;
}
