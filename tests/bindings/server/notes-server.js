#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// A server of a provider with tools, resources and prompts of its own.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

const TEXT = '{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}';
const FORM = '{"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}';

const Notes = GObject.registerClass({
    Implements: [Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider],
}, class Notes extends GObject.Object {
    _init() {
        super._init();
        this._note = 'one';
        this._tools = new Gio.ListStore({item_type: Gmcp.Tool.$gtype});
        this._resources = new Gio.ListStore({item_type: Gmcp.Resource.$gtype});
        this._templates = new Gio.ListStore({item_type: Gmcp.ResourceTemplate.$gtype});
        this._prompts = new Gio.ListStore({item_type: Gmcp.Prompt.$gtype});
        for (const [name, schema] of [['count_words', TEXT], ['write', TEXT], ['ask', null], ['drop', null]])
            this._tools.append(Gmcp.Tool.new(name, `Does ${name}`, schema));
        this._resources.append(Gmcp.Resource.new('note:1', 'One', 'text/plain'));
        this._templates.append(Gmcp.ResourceTemplate.new('note:{n}', 'Notes', null));
        const greet = Gmcp.PromptBuilder.new('greet');
        greet.set_description('Greets');
        greet.add_argument(Gmcp.PromptArgument.new('name', null, true));
        this._prompts.append(greet.build());
    }

    vfunc_get_tools() {
        return this._tools;
    }

    vfunc_call_tool(call) {
        const {text} = JSON.parse(call.get_arguments_json());
        const caller = call.get_caller();
        const builder = Gmcp.ToolResultBuilder.new();
        switch (call.get_name()) {
        case 'count_words':
            caller.log(Gmcp.LogLevel.WARNING, 'words', 'counting');
            builder.add_content(Gmcp.Content.new_text(`${text.split(' ').length} words`));
            call.return_result(builder.build());
            break;
        case 'write':
            this._note = text;
            this.emit_resource_updated('note:1');
            call.return_result(Gmcp.ToolResult.new_text('written'));
            break;
        case 'ask':
            caller.ask_async(Gmcp.Elicitation.new('Which color?', FORM), null, (_, result) => {
                try {
                    call.return_result(Gmcp.ToolResult.new_text(caller.ask_finish(result)));
                } catch (error) {
                    call.return_error(error);
                }
            });
            break;
        default:
            // Ends without an answer, once the collector has been there.
            GLib.idle_add(GLib.PRIORITY_DEFAULT, () => {
                System.gc();
                return GLib.SOURCE_REMOVE;
            });
        }
    }

    vfunc_get_resources() {
        return this._resources;
    }

    vfunc_get_templates() {
        return this._templates;
    }

    vfunc_read(request) {
        const uri = request.get_uri();
        if (uri === 'note:1')
            request.return_result(Gmcp.ResourceResult.new_text(uri, 'text/plain', this._note));
        else
            request.return_error(new GLib.Error(Gio.IOErrorEnum, Gio.IOErrorEnum.NOT_FOUND, `There is no ${uri}`));
    }

    vfunc_subscribe(_uri) {
    }

    vfunc_unsubscribe(_uri) {
    }

    vfunc_get_prompts() {
        return this._prompts;
    }

    vfunc_get_prompt(request) {
        const text = `Greet ${request.get_argument('name')}`;
        request.return_result(Gmcp.PromptResult.new_text('A greeting', text));
    }

    vfunc_complete_argument(request) {
        request.return_values(['ann', 'anton'].filter(name => name.startsWith(request.get_value())));
    }
});

const loop = new GLib.MainLoop(null, false);
const server = Gmcp.Server.new('notes', '1.0', new Notes());
server.run_stdio_async(null, () => loop.quit());
loop.run();
