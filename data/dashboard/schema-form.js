// SPDX-License-Identifier: LGPL-2.1-or-later
// A form made from a JSON Schema, for the arguments of a tool and the answer to a question. A field is
// {element, read(), fill(value), focus()}; read() gives undefined where nothing is set, and adds to its list of
// errors, each a function that takes the focus there. What no field fits is written as JSON.

import {el, newId, setAttribute, setText} from './dom.js';
import {t} from './texts.js';
import {visible, visibleJson} from './visible.js';

const MAX_DEPTH = 5;

function resolve(schema, root, depth = 0) {
  if (schema === true || typeof schema !== 'object' || schema === null)
    return {};
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/') && depth < 20) {
    const found = schema.$ref.slice(2).split('/').reduce((node, part) => node?.[part.replace(/~1/g, '/').replace(/~0/g, '~')], root);
    const {$ref: _, ...rest} = schema;
    return {...resolve(found, root, depth + 1), ...rest};
  }
  const choices = schema.anyOf || schema.oneOf;
  if (Array.isArray(choices)) {
    const real = choices.filter(choice => choice?.type !== 'null');
    if (real.length === 1) {
      const {anyOf: _, oneOf: __, ...rest} = schema;
      return {...resolve(real[0], root, depth + 1), ...rest};
    }
  }
  return schema;
}

function typeOf(schema) {
  const types = [].concat(schema.type ?? []).filter(type => type !== 'null');
  if (types.length === 1)
    return types[0];
  if (types.length === 0 && schema.properties)
    return 'object';
  return types.length === 0 && schema.items ? 'array' : null;
}

// [{value, title}], or null where the schema is not one of a few values.
function choicesOf(schema) {
  if (Array.isArray(schema.enum))
    return schema.enum.map((value, i) => ({value, title: schema.enumNames?.[i] ?? (typeof value === 'string' ? value : JSON.stringify(value))}));
  if ('const' in schema)
    return [{value: schema.const, title: schema.title ?? String(schema.const)}];
  const choices = schema.oneOf || schema.anyOf;
  if (Array.isArray(choices) && choices.length && choices.every(choice => choice && typeof choice === 'object' && 'const' in choice))
    return choices.map(choice => ({value: choice.const, title: choice.title ?? String(choice.const)}));
  return null;
}

// The label, what is said of it, the control and its error, tied together.
function row(info, control, {controlFirst = false} = {}) {
  const id = control.id || (control.id = newId('field'));
  const error = el('p', {class: 'field-error', id: `${id}-error`});
  const label = el('label', {for: id}, info.label, info.required ? el('span', {class: 'required'}, ` (${t('required')})`) : null);
  const described = [error.id];
  const about = info.schema.description ? el('p', {class: 'field-about', id: `${id}-about`}, info.schema.description) : null;
  if (about)
    described.unshift(about.id);
  control.setAttribute('aria-describedby', described.join(' '));
  if (info.required)
    control.setAttribute('aria-required', 'true');
  const element = el('div', {class: controlFirst ? 'field field-check' : 'field'},
    controlFirst ? [control, label, about, error] : [label, about, control, error]);
  const complain = (text, errors) => {
    setText(error, text);
    setAttribute(control, 'aria-invalid', text ? 'true' : null);
    if (text)
      errors.push(() => control.focus());
  };
  return {element, complain};
}

function check(field, info, value, text, errors) {
  const problem = value === undefined && info.required ? t('error-required') : text;
  field.complain(problem || '', errors);
  return problem ? undefined : value;
}

function makeChoice(info, choices) {
  const select = el('select', {},
    info.required && info.schema.default !== undefined ? null : el('option', {value: ''}, t('not-set')),
    choices.map((choice, i) => el('option', {value: i}, choice.title)));
  const field = row(info, select);
  const fill = value => {
    const index = choices.findIndex(choice => JSON.stringify(choice.value) === JSON.stringify(value));
    select.value = index >= 0 ? index : '';
  };
  return {
    element: field.element, fill, focus: () => select.focus(),
    read: errors => check(field, info, select.value === '' ? undefined : choices[select.value].value, '', errors),
  };
}

// What may be left out has three states.
function makeBoolean(info) {
  if (!info.required && info.schema.default === undefined)
    return makeChoice(info, [{value: true, title: t('yes')}, {value: false, title: t('no')}]);
  const box = el('input', {type: 'checkbox'});
  const field = row({...info, required: false}, box, {controlFirst: true});
  return {
    element: field.element, focus: () => box.focus(), read: () => box.checked,
    fill: value => { box.checked = value === true; },
  };
}

function numberProblem(schema, type, text, value) {
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text))
    return t('error-number');
  if (type === 'integer' && !Number.isSafeInteger(value))
    return t('error-integer');
  const min = schema.minimum ?? (typeof schema.exclusiveMinimum === 'number' ? schema.exclusiveMinimum : undefined);
  const max = schema.maximum ?? (typeof schema.exclusiveMaximum === 'number' ? schema.exclusiveMaximum : undefined);
  if (min !== undefined && value < min)
    return t('error-min', min);
  return max !== undefined && value > max ? t('error-max', max) : '';
}

function makeNumber(info, type) {
  const input = el('input', {type: 'text', inputmode: type === 'integer' ? 'numeric' : 'decimal', autocomplete: 'off'});
  const field = row(info, input);
  return {
    element: field.element, focus: () => input.focus(),
    fill: value => { input.value = visible(String(value ?? '')); },
    read: errors => {
      const text = input.value.trim();
      const value = text === '' ? undefined : Number(text);
      return check(field, info, value, text === '' ? '' : numberProblem(info.schema, type, text, value), errors);
    },
  };
}

const INPUT_TYPES = {email: 'email', uri: 'url', url: 'url', date: 'date', password: 'password'};

function makeString(info) {
  const {schema} = info;
  const input = INPUT_TYPES[schema.format] ? el('input', {type: INPUT_TYPES[schema.format], autocomplete: 'off'})
    : el('textarea', {rows: 1, spellcheck: 'false'});
  const field = row(info, input);
  return {
    element: field.element, focus: () => input.focus(),
    // What a server proposes is sent as it is shown.
    fill: value => { input.value = visible(String(value ?? '')); },
    read: errors => {
      const value = input.value === '' ? undefined : input.value;
      const length = value === undefined ? 0 : [...value].length;
      const problem = value === undefined ? '' : length < (schema.minLength ?? 0) ? t('error-min-length', schema.minLength)
        : length > (schema.maxLength ?? Infinity) ? t('error-max-length', schema.maxLength) : '';
      return check(field, info, value, problem, errors);
    },
  };
}

export function makeJson(info, {object = false} = {}) {
  const area = el('textarea', {rows: 3, spellcheck: 'false', class: 'code'});
  const field = row({...info, label: [info.label, el('span', {class: 'field-kind'}, ` ${t('json-value')}`)]}, area);
  return {
    element: field.element, focus: () => area.focus(),
    fill: value => { area.value = value === undefined ? '' : visibleJson(value); },
    read: errors => {
      let value;
      let problem = '';
      try {
        value = area.value.trim() === '' ? undefined : JSON.parse(area.value);
      } catch {
        problem = t('error-json');
      }
      if (!problem && object && value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
        problem = t('error-json-object');
      if (problem) {
        field.complain(problem, errors);
        return undefined;
      }
      return check(field, info, value, '', errors);
    },
  };
}

function group(info, ...content) {
  const error = el('p', {class: 'field-error'});
  const element = el('fieldset', {class: 'field-group', tabindex: -1},
    el('legend', {}, info.label, info.required ? el('span', {class: 'required'}, ` (${t('required')})`) : null),
    info.schema.description ? el('p', {class: 'field-about'}, info.schema.description) : null, content, error);
  const complain = (text, errors) => {
    setText(error, text);
    if (text)
      errors.push(() => element.focus());
  };
  return {element, complain};
}

function countProblem(schema, n) {
  if (n < (schema.minItems ?? 0))
    return t('error-min-items', schema.minItems);
  return n > (schema.maxItems ?? Infinity) ? t('error-max-items', schema.maxItems) : '';
}

function makeChecks(info, choices) {
  const boxes = choices.map(() => el('input', {type: 'checkbox', id: newId('field')}));
  const field = group(info, choices.map((choice, i) =>
    el('div', {class: 'field field-check'}, boxes[i], el('label', {for: boxes[i].id}, choice.title))));
  return {
    element: field.element, focus: () => boxes[0]?.focus(),
    fill: value => boxes.forEach((box, i) => { box.checked = Array.isArray(value) && value.includes(choices[i].value); }),
    read: errors => {
      const values = choices.filter((_, i) => boxes[i].checked).map(choice => choice.value);
      const value = values.length || info.required ? values : undefined;
      return check(field, info, value, value ? countProblem(info.schema, values.length) : '', errors);
    },
  };
}

function makeList(info, root, depth) {
  const items = [];
  const holder = el('ol', {class: 'items'});
  const add = el('button', {type: 'button', 'aria-label': t('add-item-to', info.name), onclick: () => addItem().field.focus()}, t('add-item'));
  const field = group(info, holder, add);

  function renumber() {
    items.forEach((item, i) => setAttribute(item.remove, 'aria-label', t('remove-item', i + 1)));
  }

  function removeItem(item) {
    items.splice(items.indexOf(item), 1);
    item.element.remove();
    renumber();
    add.focus();
  }

  function addItem(value) {
    const inner = makeField(info.schema.items ?? {}, root, {name: t('item', items.length + 1), required: true, depth: depth + 1});
    const remove = el('button', {type: 'button', class: 'flat', onclick: () => removeItem(item)}, '×');
    const item = {field: inner, remove, element: el('li', {}, inner.element, remove)};
    items.push(item);
    holder.append(item.element);
    if (value !== undefined)
      inner.fill(value);
    renumber();
    return item;
  }

  return {
    element: field.element, focus: () => add.focus(),
    fill: value => {
      items.splice(0).forEach(item => item.element.remove());
      if (Array.isArray(value))
        value.forEach(addItem);
    },
    read: errors => {
      const values = items.map(item => item.field.read(errors));
      const value = items.length || info.required ? values : undefined;
      return check(field, info, value, value ? countProblem(info.schema, items.length) : '', errors);
    },
  };
}

function makeArray(info, root, depth) {
  const items = resolve(info.schema.items ?? {}, root);
  const choices = choicesOf(items);
  return choices && choices.length <= 30 ? makeChecks(info, choices) : makeList(info, root, depth);
}

function makeProperties(schema, root, depth) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, inner]) =>
    [name, makeField(inner, root, {name, required: required.has(name), depth: depth + 1})]));
  return {
    fields, elements: [...fields.values()].map(field => field.element),
    read: errors => {
      const object = {};
      for (const [name, field] of fields) {
        const value = field.read(errors);
        if (value !== undefined)
          Object.defineProperty(object, name, {value, enumerable: true, configurable: true, writable: true});
      }
      return object;
    },
    fill: value => fields.forEach((field, name) => field.fill(value && Object.hasOwn(value, name) ? value[name] : undefined)),
  };
}

// A group that may be left out, and has nothing in it, is left out; what is required in it is only then not asked for.
function makeObject(info, root, depth) {
  const inner = makeProperties(info.schema, root, depth);
  const field = group(info, inner.elements);
  return {
    element: field.element, focus: () => inner.fields.values().next().value?.focus(), fill: inner.fill,
    read: errors => {
      const found = [];
      const value = inner.read(found);
      if (!info.required && Object.keys(value).length === 0)
        return undefined;
      errors.push(...found);
      return value;
    },
  };
}

function makeField(given, root, {name, required, depth}) {
  const schema = resolve(given, root);
  const info = {name, label: typeof schema.title === 'string' && schema.title ? schema.title : name, required, schema};
  const field = choose(info, root, depth);
  if (schema.default !== undefined)
    field.fill(schema.default);
  return field;
}

function choose(info, root, depth) {
  const type = typeOf(info.schema);
  const choices = choicesOf(info.schema);
  if (choices && choices.length <= 1000)
    return makeChoice(info, choices);
  if (type === 'boolean')
    return makeBoolean(info);
  if (type === 'number' || type === 'integer')
    return makeNumber(info, type);
  if (type === 'string')
    return makeString(info);
  if (type === 'array' && depth < MAX_DEPTH)
    return makeArray(info, root, depth);
  if (type === 'object' && depth < MAX_DEPTH && Object.keys(info.schema.properties ?? {}).length > 0)
    return makeObject(info, root, depth);
  return makeJson(info);
}

// The form of an object. canFit says whether each of its members has a field.
export function makeForm(schema) {
  const root = resolve(schema, schema);
  const canFit = typeOf(root) === 'object' || Object.keys(root).length === 0;
  const inner = makeProperties(canFit ? root : {}, schema, 0);
  return {elements: inner.elements, isEmpty: inner.fields.size === 0, canFit, read: inner.read, fill: inner.fill};
}
