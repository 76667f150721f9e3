#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// A source of configuration written in JavaScript, and a manager that starts a server from it.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';
import Gmcp from 'gi://Gmcp?version=1';

Gio._promisify(Gmcp.Manager.prototype, 'load_async');
Gio._promisify(Gmcp.Manager.prototype, 'load_config_async');
Gio._promisify(Gmcp.Manager.prototype, 'diagnose_server_async');
Gio._promisify(Gmcp.Manager.prototype, 'start_all_async');
Gio._promisify(Gmcp.Manager.prototype, 'call_tool_json_async');
Gio._promisify(Gmcp.Manager.prototype, 'close_async');
Gio._promisify(Gmcp.ManagedServer.prototype, 'stop_async');
Gio._promisify(Gmcp.ManagedServer.prototype, 'sync_tools_async');
Gio._promisify(Gmcp.Manager.prototype, 'add_server_async');

// Nobody waits for a server whose tools an earlier run kept, or that failed in it.
const kept = GLib.dir_make_tmp('gmcp-manager-gjs-XXXXXX');
GLib.setenv('XDG_STATE_HOME', kept, true);
GLib.setenv('XDG_CACHE_HOME', kept, true);

const script = GLib.build_filenamev([GLib.getenv('G_TEST_SRCDIR'), 'servers', 'managed-server.py']);

const ListSource = GObject.registerClass({
    GTypeName: 'ListSource',
}, class ListSource extends Gmcp.ConfigSource {
    vfunc_load(load) {
        this.set_servers([
            new Gmcp.ServerConfig({
                id: 'one',
                title: 'The One',
                argv: ['/usr/bin/python3', '-S', script, '--tools', 'echo,env'],
                environment: ['COLOUR=green'],
                start: Gmcp.ServerStart.AT_LOAD,
            }),
            new Gmcp.ServerConfig({id: 'none', argv: ['/nonexistent/program']}),
        ]);
        load.return_success();
    }
});

function check(holds, what) {
    if (!holds)
        throw new Error(`not so: ${what}`);
}

async function run() {
    const manager = new Gmcp.Manager({host: 'org.example.Script'});
    const notices = [];

    manager.connect('notice', (_, id, level, message) => notices.push([id, level, message]));
    manager.add_source(new ListSource());

    await manager.load_config_async(null);
    check(manager.get_n_items() === 2, 'both servers are listed');
    const one = manager.get_server('one');
    check(one.state === Gmcp.ServerState.STOPPED, 'nothing is started for that');

    await manager.load_async(null);
    check(one.state === Gmcp.ServerState.READY && one.pid > 0, 'the server runs');
    check(manager.get_tools().get_n_items() === 2, 'its tools are listed');

    const none = manager.get_item(1);
    check(none.state === Gmcp.ServerState.FAILED, 'the other failed');
    check(none.get_last_error().message.includes('/nonexistent/program'), 'and says why');
    check(notices.some(([id, level]) => id === 'none' && level === Gmcp.NoticeLevel.WARNING), 'in a notice too');

    const result = await manager.call_tool_json_async('one.env', '{"name": "COLOUR"}', null, null);
    check(result.get_text() === 'green', 'the environment reached the server');

    const reports = await manager.start_all_async(null);
    check(reports.map(report => report.server_id).join() === 'one,none', 'there is a report of each server');
    check(reports[0].get_error() === null && reports[0].succeeded(), 'the one that runs is well');
    check(reports[1].get_error().matches(Gmcp.Error, Gmcp.Error.START_FAILED), 'the other one is not');

    const well = await manager.diagnose_server_async('one', null);
    const steps = [...Array(well.steps.get_n_items()).keys()].map(i => well.steps.get_item(i));
    check(steps.length === 7 && steps.every(step => step.outcome === Gmcp.StepOutcome.PASSED), 'each step passed');
    check(steps[0].title && steps[5].detail === '2 tools' && well.get_advice().length === 0, 'each is told of');
    const ill = await manager.diagnose_server_async('none', null);
    check(ill.steps.get_item(1).kind === Gmcp.ServerStepKind.PROGRAM
        && ill.steps.get_item(1).outcome === Gmcp.StepOutcome.FAILED, 'the program is not there');
    check(ill.get_advice().includes('gmcp edit none') && ill.output === null, 'and there is a way out');
    check(none.last_state === Gmcp.ServerState.FAILED && one.last_ready_at !== null, 'what became of both is known');

    await one.stop_async(null);
    check(one.state === Gmcp.ServerState.STOPPED, 'the server is stopped');
    await manager.close_async(null);
}

// A list that is read anew is asked for, whatever its server said of how long it stays fresh.
async function readAnew() {
    const server = Gmcp.Server.new('growing', '1', null);
    const endpoint = Gmcp.HttpEndpoint.new(server);
    const add = name => server.add_tool(Gmcp.Tool.new(name, null, null), () => {});
    add('first');
    try {
        endpoint.listen(0);
    } catch (error) {
        // A build may do without HTTP.
        check(error.matches(Gmcp.Error, Gmcp.Error.NOT_SUPPORTED), error.message);
        return;
    }

    const manager = new Gmcp.Manager();
    const managed = await manager.add_server_async(new Gmcp.ServerConfig({id: 'growing', url: endpoint.dup_uri()}), null);
    await manager.load_async(null);
    add('second');
    const changes = await managed.sync_tools_async(null);
    check(changes.n_tools === 2 && changes.added.join() === 'second', `the list is new: ${changes.n_tools} ${changes.added}`);
    await manager.close_async(null);
    endpoint.close();
}

const loop = new GLib.MainLoop(null, false);
let status = 0;

run().then(readAnew).catch(error => {
    printerr(error, error.stack);
    status = 1;
}).finally(() => loop.quit());
loop.run();
System.exit(status);
