#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
import gi
gi.require_versions({'Gtk': '4.0', 'Gmcp': '1'})
from gi.repository import Gio, Gmcp, Gtk


def on_activate(app):
    notes = Gtk.TextView()
    window = Gtk.ApplicationWindow(application=app, title='Notes', child=notes)
    window.add_action_entries([('add', lambda _, text, data: notes.get_buffer().insert_at_cursor(text.get_string() + '\n'), 's')])
    window.add_action(Gio.PropertyAction.new('editable', notes, 'editable'))
    window.add_action(Gio.PropertyAction.new('margin', notes, 'left-margin'))
    window.present()

    tools = Gmcp.ActionTools.new(window)
    tools.add_action('add', Gmcp.Tool.new('add_note', 'Writes a line into the notes', None))
    tools.add_action('editable')
    tools.add_state_setter('margin')
    app.endpoint = Gmcp.HttpEndpoint.new(Gmcp.Server.new('notes', '1.0', tools))
    app.endpoint.listen(0)
    print(app.endpoint.dup_uri(), flush=True)


app = Gtk.Application(application_id='org.example.Notes')
app.connect('activate', on_activate)
app.run()
