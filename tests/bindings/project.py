#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host that gathers the context of a project, and runs a prompt of a server as a command."""
import json
import os
import sys
import tempfile

import gi

gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp  # noqa: E402

SERVER = os.path.join(os.environ['G_TEST_SRCDIR'], 'servers', 'context-server.py')


def wait(start, finish, *arguments):
    """The result of a function that is asynchronous, once it is there."""
    results = []
    loop = GLib.MainLoop()

    def done(_source, result):
        results.append(result)
        loop.quit()

    start(*arguments, None, done)
    loop.run()
    return finish(results[0])


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'mcp.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump({'mcpServers': {'notes': {'command': '/usr/bin/python3', 'args': [
                '-S', SERVER, '--resource', 'notes://a=alpha', '--prompt', 'sum', '--instructions', 'Be brief.']}}},
                      file)
        manager = Gmcp.Manager(config_file=path, resource_timeout_ms=60000)
        manager.add_project(Gmcp.Project(id='demo', title='Demo', server_ids=['notes'],
                                         resources=['notes://a', 'notes://none']))
        assert [project.get_title() for project in manager.list_projects()] == ['Demo']

        reports = wait(manager.start_all_async, manager.start_all_finish)
        assert [(report.get_server_id(), report.succeeded(), report.props.error) for report in reports] == [
            ('notes', True, None)]

        report = wait(manager.diagnose_server_async, manager.diagnose_server_finish, 'notes')
        steps = [report.get_steps().get_item(i) for i in range(report.get_steps().get_n_items())]
        assert steps and {step.get_outcome() for step in steps} == {Gmcp.StepOutcome.PASSED}, steps
        assert report.get_advice() == [] and manager.get_server('notes').get_last_state() == Gmcp.ServerState.READY

        context = wait(manager.get_context_async, manager.get_context_finish, 'demo')
        assert [(item.get_server_id(), item.get_uri(), item.get_text()) for item in context.list_resources()] == [
            ('notes', 'notes://a', 'alpha 1')]
        assert context.get_instructions() == '# notes\n\nBe brief.\n', context.get_instructions()
        assert len(context.get_notes()) == 1 and not context.is_complete()
        assert json.loads(context.dup_json())['project'] == 'demo'

        server = manager.get_server('notes')
        result = wait(server.read_resource_async, server.read_resource_finish, 'notes://a', None)
        assert result.is_cached() and not result.is_stale()
        assert wait(manager.sync_async, manager.sync_finish, None)
        result = wait(server.read_resource_async, server.read_resource_finish, 'notes://a', None)
        assert not result.is_cached() and result.dup_text() == 'alpha 2'

        commands = wait(manager.list_prompts_async, manager.list_prompts_finish)
        assert [command.get_name() for command in commands] == ['notes__sum']
        prompt = wait(manager.get_prompt_async, manager.get_prompt_finish, 'notes__sum', {'topic': 'rain'}, None)
        assert 'sum about rain' in prompt.dup_json()

        manager.set_project('none')
        assert wait(manager.list_prompts_async, manager.list_prompts_finish) == []
        assert wait(manager.close_async, manager.close_finish)


sys.exit(main())
