// SPDX-License-Identifier: LGPL-2.1-or-later
// What waits for a person: questions of servers, calls that are to be allowed, and tools that have changed.

import {ask, name} from './api.js';
import {announce, el, KeyedList} from './dom.js';
import {showDiff} from './diff.js';
import {json} from './results.js';
import {makeForm, makeJson} from './schema-form.js';
import {t} from './texts.js';

function makeProblem() {
  const element = el('div', {role: 'alert'});
  return {element, say: text => element.replaceChildren(text ? el('p', {class: 'error-box'}, text) : '')};
}

function makeAnswerForm(schema) {
  const form = makeForm(schema);
  if (form.canFit)
    return {elements: form.elements, read: form.read};
  const text = makeJson({name: 'content', label: t('arguments'), required: true, schema: {}}, {object: true});
  return {elements: [text.element], read: text.read};
}

function showAddress(address) {
  let url = null;
  try {
    url = new URL(address);
  } catch {
    // It is shown as it is, and cannot be opened.
  }
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return [el('p', {}, t('question-open')), el('p', {class: 'mono address'}, String(address)),
    isWeb ? el('p', {}, t('question-host', url.host)) : null,
    isWeb ? el('p', {}, el('a', {href: url.href, target: '_blank', rel: 'noopener noreferrer', class: 'button'}, t('open'))) : null];
}

function describe(question) {
  const params = question.params ?? {};
  if (question.kind === 'permission' || question.kind === 'withheld')
    return {
      title: t('question-permission', `${question.server} · ${params.tool}`),
      content: [params.change ? el('p', {}, t('question-change')) : null, params.change ? el('pre', {}, params.change) : null,
        json(params.arguments ?? {}), params.rule && !params.change ? el('p', {class: 'dim'}, t('question-rule', params.rule)) : null,
        params.role ? el('p', {class: 'dim'}, t('question-role', params.role)) : null],
      // Nobody is to be led to let a tool through that is another one now.
      answers: [['allow-once', question.kind === 'withheld' ? '' : 'suggested'], params.once_only ? null : ['allow-always', ''], ['decline', ''], ['cancel', 'flat']].filter(Boolean),
    };
  if (question.kind === 'sampling')
    return {title: t('question-sampling', question.server), content: [], answers: [['decline', '']]};
  const isAddress = params.mode === 'url';
  const form = isAddress ? null : makeAnswerForm(params.requestedSchema ?? {});
  return {
    title: t('question-of', question.server),
    content: [el('p', {class: 'question-text'}, String(params.message ?? '')), isAddress ? showAddress(params.url) : form.elements,
      question.accepted ? el('p', {class: 'dim'}, t('question-accepted')) : null],
    form,
    answers: [[isAddress ? 'done' : 'accept', 'suggested'], question.accepted ? null : ['decline', ''], ['cancel', 'flat']].filter(Boolean),
  };
}

function makeQuestion(question, remove) {
  const {title, content, form, answers} = describe(question);
  const submitted = answers.map(([action]) => action).find(action => action === 'accept' || action === 'done');
  const problem = makeProblem();
  const heading = el('h3', {tabindex: -1}, title);

  async function answer(action) {
    const errors = [];
    const body = {action};
    if (action === 'accept' && form)
      body.content = form.read(errors);
    if (errors.length) {
      errors[0]();
      return;
    }
    try {
      await ask('POST', `questions/${name(question.id)}`, body);
      announce(t('answered'));
      remove(question.id);
    } catch (error) {
      problem.say(error.message);
    }
  }

  const buttons = answers.map(([action, style]) => el('button', {
    type: action === submitted ? 'submit' : 'button', class: style, 'data-answer': action,
    onclick: action === submitted ? undefined : () => answer(action),
  }, t(action)));
  return {
    element: el('li', {class: 'card question', 'data-question': question.id},
      el('form', {novalidate: true, onsubmit: event => { event.preventDefault(); submitted && answer(submitted); }},
        heading, question.client ? el('p', {class: 'dim'}, t('question-client', question.client)) : null,
        el('div', {class: 'fields'}, content), problem.element, el('div', {class: 'buttons'}, buttons))),
  };
}

function makeChange(change, remove) {
  const problem = makeProblem();

  async function approve() {
    try {
      await ask('POST', 'changes/approve', {server: change.server, tool: change.tool, digest: change.digest});
      announce(t('approved', change.tool));
      remove(change);
    } catch (error) {
      problem.say(error.message);
    }
  }

  const title = t('change-of', change.tool, change.server);
  return {
    element: el('li', {class: 'card change', 'data-change': `${change.server}.${change.tool}`},
      el('h3', {}, title, change.status === 'new' ? el('span', {class: 'tag'}, t('change-new')) : null),
      el('details', {open: true}, el('summary', {}, t('change-view')), showDiff(change.kept, change.now)), problem.element,
      el('div', {class: 'buttons'}, el('button', {class: 'suggested', 'aria-label': t('action-of', t('approve'), title), onclick: approve}, t('approve')))),
  };
}

const changeKey = change => `${change.server}\n${change.tool}\n${change.digest}\n${JSON.stringify(change.kept)}`;

function makeList(className, headingId, title, about, key, make) {
  const holder = el('ul', {class: 'cards'});
  const list = new KeyedList(holder, key, make, () => {});
  const heading = el('h2', {id: headingId, tabindex: -1}, title);
  return {heading, list, element: el('section', {class: className, 'aria-labelledby': headingId, hidden: true}, heading, about, holder)};
}

// on_count(n): how much waits.
export function makeWaiting(onCount) {
  let questions = [];
  let changes = [];
  const asked = makeList('waiting', 'questions-title', t('questions'), null, question => `${question.id} ${question.accepted ?? false}`,
    question => makeQuestion(question, removeQuestion));
  const changed = makeList('waiting', 'changes-title', t('changes'), el('p', {class: 'dim'}, t('changes-why')), changeKey,
    change => makeChange(change, removeChange));

  // Where the focus was in what goes, it moves on to what is left, else to the page.
  function show(part, items) {
    const hadFocus = part.element.contains(document.activeElement);
    part.list.show(items);
    part.element.hidden = items.length === 0;
    if (hadFocus && !part.element.contains(document.activeElement))
      (items.length > 0 ? part.heading : document.getElementById('main')).focus();
    onCount(questions.length + changes.length);
  }

  function showQuestions(found) {
    questions = found;
    show(asked, questions);
  }

  function showChanges(found) {
    changes = found;
    show(changed, changes);
  }

  function removeQuestion(id) {
    showQuestions(questions.filter(question => question.id !== id));
  }

  function removeChange(change) {
    showChanges(changes.filter(other => other !== change && !(other.server === change.server && other.tool === change.tool)));
  }

  const listOf = (answer, member) => Array.isArray(answer) ? answer : answer?.[member] ?? [];
  return {
    elements: [asked.element, changed.element],
    async load() {
      const [open, found] = await Promise.all([ask('GET', 'questions').catch(() => []), ask('GET', 'changes').catch(() => [])]);
      showQuestions(listOf(open, 'questions'));
      showChanges(listOf(found, 'changes'));
    },
    async loadChanges() {
      showChanges(listOf(await ask('GET', 'changes').catch(() => []), 'changes'));
    },
    addQuestion(question) {
      if (questions.some(other => other.id === question.id)) {
        showQuestions(questions.map(other => other.id === question.id ? question : other));
        return;
      }
      showQuestions([...questions, question]);
      announce(t('question-new', question.server));
    },
    removeQuestion,
  };
}
