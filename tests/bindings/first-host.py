#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A window with the tools of all servers: first-host.py [FILE]

A double click calls a tool with the arguments in the entry; what a server asks is shown as a dialog.
"""
import json
import sys

import gi
gi.require_version('Gtk', '4.0')
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp, Gtk

Kind = Gmcp.ElicitationFieldKind


class FieldRow(Gtk.Box):
    """One field of a form, with what fits its kind."""

    def __init__(self, field):
        super().__init__(orientation=Gtk.Orientation.VERTICAL)
        self.field = field
        kind = field.get_kind()
        given = json.loads(field.dup_default_json() or 'null')
        titles = [Gmcp.dup_visible_line(title, 200) for title in field.get_option_titles() or []]
        self.append(Gtk.Label(label=Gmcp.dup_visible_line(field.get_title() or field.get_name(), 200), xalign=0))
        if kind == Kind.BOOLEAN:
            self.buttons = [Gtk.CheckButton(active=bool(given))]
        elif kind == Kind.MULTI_CHOICE:
            self.buttons = [Gtk.CheckButton(label=title, active=value in (given or []))
                            for title, value in zip(titles, field.get_option_values())]
        elif kind == Kind.CHOICE:
            self.choice = Gtk.DropDown.new_from_strings(titles)
            if given in field.get_option_values():
                self.choice.set_selected(field.get_option_values().index(given))
            self.buttons = [self.choice]
        else:
            self.entry = Gtk.Entry(text='' if given is None else str(given))
            self.buttons = [self.entry]
        for button in self.buttons:
            self.append(button)

    def read(self):
        """What was entered; None for nothing. Raises what says which text does not fit."""
        kind, values = self.field.get_kind(), self.field.get_option_values()
        if kind == Kind.BOOLEAN:
            return self.buttons[0].get_active()
        if kind == Kind.MULTI_CHOICE:
            return [value for value, button in zip(values, self.buttons) if button.get_active()]
        if kind == Kind.CHOICE:
            return values[self.choice.get_selected()]
        text = self.entry.get_text()
        return json.loads(self.field.read_text(text)) if text else None


class Dialog(Gtk.Window):
    """A question, with the name of whoever asks. What others wrote is shown with hidden characters visible."""

    def __init__(self, parent, request, text, fields=()):
        super().__init__(transient_for=parent, modal=True, title=f'A question of {request.get_server_name()}')
        self.rows = [FieldRow(field) for field in fields]
        self.problem = Gtk.Label(wrap=True, xalign=0)
        self.buttons = Gtk.Box(spacing=6, halign=Gtk.Align.END)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        for child in (Gtk.Label(label=Gmcp.dup_visible_text(text), wrap=True), *self.rows, self.problem, self.buttons):
            box.append(child)
        self.set_child(box)
        # The call may end before somebody has answered.
        request.connect('closed', lambda _: self.destroy())

    def add_answer(self, label, answer):
        """The last one is also that of a window that is closed."""
        button = Gtk.Button(label=label)
        button.connect('clicked', lambda _: self.give(answer))
        self.buttons.append(button)
        self.refuse = answer

    def do_close_request(self):
        self.refuse()
        return False

    def give(self, answer):
        try:
            answer()
        except GLib.Error as error:  # It says which field, and what that takes.
            self.problem.set_label(error.message)
            return
        self.destroy()

    def read(self):
        values = {row.field.get_name(): row.read() for row in self.rows}
        return json.dumps({name: value for name, value in values.items() if value is not None})


class Host(Gtk.Application):
    def __init__(self, config_file=None):
        super().__init__(application_id='org.gmcp.FirstHost', flags=Gio.ApplicationFlags.NON_UNIQUE)
        self.config_file = config_file
        self.dialog = None

    def do_activate(self):
        self.window = Gtk.ApplicationWindow(application=self, title='Tools', default_width=600, default_height=400)
        self.arguments = Gtk.Entry(placeholder_text='Arguments, as JSON')
        self.result = Gtk.Label(wrap=True, selectable=True, xalign=0)
        self.list = Gtk.ListView(factory=self.make_factory(), vexpand=True)
        self.list.connect('activate', self.on_activate_tool)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        for child in (Gtk.ScrolledWindow(child=self.list), self.arguments, self.result):
            box.append(child)
        self.window.set_child(box)
        self.window.present()

        # Servers are told what a host can answer, so that this comes before they are started.
        self.provider = Gmcp.load_tool_providers('org.gmcp.FirstHost', self.config_file)[0]
        self.provider.connect('input-requested', self.on_input_requested)
        self.provider.connect('call-requested', self.on_call_requested)
        self.provider.connect('notice', lambda _, server, level, text: self.show(text))
        self.list.set_model(Gtk.SingleSelection(model=self.provider.get_tools()))
        self.provider.load_async(None, self.on_loaded)

    def make_factory(self):
        factory = Gtk.SignalListItemFactory()
        factory.connect('setup', lambda _, item: item.set_child(Gtk.Label(xalign=0)))
        factory.connect('bind', lambda _, item: item.get_child().set_label(
            Gmcp.dup_visible_line(f'{item.get_item().get_name()}  {item.get_item().get_description() or ""}', 200)))
        return factory

    def show(self, text):
        self.result.set_label(Gmcp.dup_visible_text(text))

    def on_loaded(self, provider, result):
        try:
            provider.load_finish(result)
        except GLib.Error as error:
            self.show(error.message)

    def on_activate_tool(self, view, position):
        tool = view.get_model().get_item(position)
        self.provider.call_tool_json_async(tool.get_name(), self.arguments.get_text() or None, None, None, self.on_called)

    def on_called(self, provider, result):
        try:
            self.show(provider.call_tool_json_finish(result).dup_text())
        except GLib.Error as error:
            self.show(error.message)

    def on_input_requested(self, _provider, request):
        if not isinstance(request, Gmcp.Elicitation):
            request.decline()  # A question to the model, which this host has not.
            return
        if request.get_mode() == Gmcp.ElicitationMode.URL:
            self.dialog = Dialog(self.window, request, f'{request.get_message()}\n\nOpen {request.get_url()}?')
            self.dialog.add_answer('Open', lambda: self.visit(request))
        else:
            dialog = self.dialog = Dialog(self.window, request, request.get_message(), request.get_fields())
            dialog.add_answer('Answer', lambda: request.accept_json(dialog.read()))
        self.dialog.add_answer('Decline', request.decline)
        self.dialog.present()

    def visit(self, request):
        request.accept(None)
        request.open_url_async(None, None)

    def on_call_requested(self, _provider, request):
        text = f'May {request.get_tool().get_name()} be called with\n{request.get_arguments_json()}?'
        self.dialog = Dialog(self.window, request, text)
        self.dialog.add_answer('Once', request.allow_once)
        self.dialog.add_answer('Always', request.allow_always)
        self.dialog.add_answer('No', request.decline)
        self.dialog.present()


if __name__ == '__main__':
    config_file = Gio.File.new_for_commandline_arg(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.exit(Host(config_file).run(None))
