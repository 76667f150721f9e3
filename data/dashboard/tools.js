// SPDX-License-Identifier: LGPL-2.1-or-later
// The tools of a server: what each says of itself, its schemas, and a form to try it.

import {ask, name, serverPath} from './api.js';
import {announce, el, KeyedList, setText} from './dom.js';
import {formatMs} from './formats.js';
import {json, showResult} from './results.js';
import {makeForm, makeJson} from './schema-form.js';
import {t} from './texts.js';

function makeArguments(schema) {
  const form = makeForm(schema ?? {});
  const text = makeJson({name: 'arguments', label: t('arguments'), required: false, schema: {}}, {object: true});
  const fields = el('div', {class: 'fields'}, form.isEmpty && form.canFit ? el('p', {class: 'dim'}, t('no-arguments')) : form.elements);
  const toggle = el('button', {type: 'button', class: 'flat', onclick: () => swap()}, t('as-json'));
  let asText = false;

  function swap(focus = true) {
    const errors = [];
    const value = asText ? text.read(errors) ?? {} : form.read([]);
    if (errors.length) {
      errors[0]();
      return;
    }
    asText = !asText;
    (asText ? text : form).fill(value);
    fields.hidden = asText;
    text.element.hidden = !asText;
    setText(toggle, asText ? t('as-form') : t('as-json'));
    if (focus && asText)
      text.focus();
  }

  text.element.hidden = true;
  if (!form.canFit || form.isEmpty)
    toggle.hidden = form.canFit;
  if (!form.canFit)
    swap(false);
  return {elements: [fields, text.element], toggle, read: errors => asText ? text.read(errors) ?? {} : form.read(errors)};
}

function makeTrial(server, tool) {
  const given = makeArguments(tool.inputSchema);
  const result = el('div', {class: 'result', 'aria-live': 'polite'});
  const button = el('button', {type: 'submit', class: 'suggested', 'aria-label': t('call-tool', tool.tool)}, t('call'));
  const form = el('form', {class: 'trial', novalidate: true, onsubmit: event => { event.preventDefault(); submit(); }},
    given.elements, el('div', {class: 'buttons'}, button, given.toggle));

  async function submit() {
    const errors = [];
    const values = given.read(errors);
    if (errors.length) {
      errors[0]();
      return;
    }
    button.disabled = true;
    setText(button, t('calling'));
    result.replaceChildren();
    const begin = performance.now();
    try {
      const answer = await ask('POST', serverPath(server, `/tools/${name(tool.tool)}`), {arguments: values});
      result.replaceChildren(el('h4', {}, t('result'), el('span', {class: 'dim'}, ` – ${t('called-in', formatMs(performance.now() - begin))}`)),
        showResult(answer, server));
    } catch (error) {
      result.replaceChildren(el('p', {class: 'error-box'}, error.message));
    } finally {
      const hadFocus = document.activeElement === document.body || document.activeElement === button;
      button.disabled = false;
      setText(button, t('call'));
      if (hadFocus)
        button.focus();
    }
  }

  return el('div', {}, form, result);
}

function listMarks(tool) {
  const hints = tool.annotations ?? {};
  return [hints.readOnlyHint === true ? el('span', {class: 'tag'}, t('read-only')) : null,
    hints.destructiveHint === true && hints.readOnlyHint !== true ? el('span', {class: 'tag warn'}, t('destructive')) : null];
}

function fillTool(entry, server, tool) {
  entry.body.replaceChildren(
    tool.description ? el('p', {class: 'about'}, tool.description) : '',
    makeTrial(server, tool),
    el('details', {class: 'schema'}, el('summary', {}, t('schema')), json(tool.inputSchema ?? {})),
    tool.outputSchema ? el('details', {class: 'schema'}, el('summary', {}, t('output-schema')), json(tool.outputSchema)) : '');
  entry.isFilled = true;
}

function makeTool(server, first) {
  const entry = {json: '', tool: first, isFilled: false, body: el('div', {class: 'tool-body'}), summary: el('summary', {})};
  entry.element = el('details', {class: 'tool', 'data-tool': first.tool}, entry.summary, entry.body);
  entry.element.addEventListener('toggle', () => {
    if (entry.element.open && !entry.isFilled)
      fillTool(entry, server, entry.tool);
  });
  return entry;
}

// A form in which somebody writes stays, unless the tool has changed.
function updateTool(entry, server, tool) {
  const text = JSON.stringify(tool);
  if (entry.json === text)
    return;
  const wasShown = entry.json !== '' && entry.isFilled;
  Object.assign(entry, {json: text, tool, isFilled: false});
  const title = tool.title || tool.annotations?.title || tool.tool;
  entry.summary.replaceChildren(el('span', {class: 'tool-name'}, title, title === tool.tool ? null : el('span', {class: 'mono dim'}, ` ${tool.tool}`)), ...listMarks(tool).filter(Boolean));
  if (entry.element.open)
    fillTool(entry, server, tool);
  if (wasShown && entry.element.open)
    announce(tool.tool);
}

export function makeTools(server) {
  const holder = el('div', {class: 'tools'});
  const empty = el('p', {class: 'dim'}, t('tools-unknown'));
  const list = new KeyedList(holder, tool => tool.tool, tool => makeTool(server, tool), (entry, tool) => updateTool(entry, server, tool));
  return {
    elements: [empty, holder],
    show(tools) {
      empty.hidden = tools.length > 0;
      list.show(tools);
    },
  };
}
