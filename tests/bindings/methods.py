# SPDX-License-Identifier: LGPL-2.1-or-later
"""Methods of objects as tools, in Python: of GIO's, and of a class of the program's own that is made of one."""
import asyncio
import json
import pathlib
import tempfile

import gi

gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp, GObject


class Folder(Gio.SimpleActionGroup):
    """It has the methods of its parents and of their interfaces."""

    def own(self):
        return 1


class Own(GObject.Object):
    def title(self):
        return ''


def refused(tools, name, part):
    try:
        tools.add_method(name)
    except GLib.Error as error:
        assert error.domain == 'gmcp-error-quark' and part in error.message, error.message
    else:
        raise AssertionError(f'{name} was added')


async def structured(tools, name, **arguments):
    result = await tools.call_tool_async(name, arguments)
    assert not result.is_error(), result.get_text()
    return json.loads(result.dup_structured_content_json())


async def main(folder):
    path = pathlib.Path(folder) / 'ü.txt'
    path.write_text('text', encoding='utf-8')
    tools = Gmcp.ObjectTools.new(Gio.File.new_for_path(str(path)))
    tools.add_method('query_file_type')
    tools.add_method('get_basename', Gmcp.Tool.new('name', 'Says what it is called', None))
    tools.add_method('delete')
    refused(tools, 'get_parent', 'JSON')
    refused(tools, 'none', 'no method')
    refused(tools, 'unref', 'no method')
    refused(tools, 'delete', 'already')
    assert [tool.get_name() for tool in tools.get_tools()] == ['query_file_type', 'name', 'delete']
    assert await structured(tools, 'query_file_type', flags=[]) == {'result': 'regular'}
    assert await structured(tools, 'name') == {'result': 'ü.txt'}
    assert await structured(tools, 'delete') == {'result': True}
    assert (await tools.call_tool_async('delete', {})).is_error()
    assert not path.exists()

    group = Folder()
    group.add_action(Gio.SimpleAction.new('one', None))
    tools = Gmcp.ObjectTools(object=group)
    tools.add_method('list_actions')
    tools.add_method('get_action_enabled')
    assert await structured(tools, 'list_actions') == {'result': ['one']}
    assert await structured(tools, 'get_action_enabled', action_name='one') == {'result': True}
    refused(tools, 'own', 'no method')
    refused(Gmcp.ObjectTools.new(Own()), 'title', 'a function of the program is the tool')


with tempfile.TemporaryDirectory() as temporary:
    Gmcp.run(main(temporary))
