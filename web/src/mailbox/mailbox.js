// Runs in the browser as it is: signs in, lists the mails of the workspace and shows one. The session is in the
// memory of this page alone.

const LOGIN = `mutation Login($email: String!, $password: String!) {
  login(input: { email: $email, password: $password }) { token }
}`;
const LIST = `query Mailbox($after: String) {
  mailboxMessages(first: 20, after: $after) {
    nodes { id to subject createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`;
const MESSAGE = `query Mail($id: ID!) {
  mailboxMessage(id: $id) { id to from replyTo subject html text headers createdAt }
}`;

const form = document.querySelector('form');
const box = document.querySelector('.box');
const list = document.querySelector('.list');
const article = document.querySelector('article');
const mode = document.querySelector('#mode');
const status = document.querySelector('#status');
const alert = document.querySelector('[data-alert]');
const older = document.querySelector('[data-older]');
let token = '';
let cursor = null;
/** Answers to older questions are not shown any more. */
let latest = 0;

/** The data of an answer; null where there was none, which the page then says. */
async function ask(query, variables) {
  latest += 1;
  const number = latest;
  alert.hidden = true;
  status.textContent = 'Loading …';
  try {
    const headers = { 'content-type': 'application/json', 'x-loyalty-mode': mode.value };
    if (token) headers.authorization = `Bearer ${token}`;
    const body = JSON.stringify({ query, variables });
    const response = await fetch('/graphql', { method: 'POST', headers, body, credentials: 'omit' });
    const { data, errors } = await response.json();
    if (number !== latest) return null;
    if (!errors) return data;
    fail(errors[0].message);
  } catch {
    if (number === latest) fail('The server cannot be reached. Try again.');
  } finally {
    if (number === latest) status.textContent = '';
  }
  return null;
}

function fail(message) {
  alert.textContent = message;
  alert.hidden = false;
}

async function signIn(event) {
  event.preventDefault();
  const data = await ask(LOGIN, { email: form.elements.email.value, password: form.elements.password.value });
  if (!data) return form.elements.email.focus();
  token = data.login.token;
  form.reset();
  form.hidden = true;
  box.hidden = false;
  await refresh();
}

async function refresh() {
  cursor = null;
  const data = await ask(LIST, { after: null });
  if (!data) return;
  list.replaceChildren();
  article.hidden = true;
  append(data.mailboxMessages);
}

async function showOlder() {
  const data = await ask(LIST, { after: cursor });
  if (data) append(data.mailboxMessages);
}

function append({ nodes, pageInfo }) {
  list.append(...nodes.map(entry));
  cursor = pageInfo.endCursor;
  older.hidden = !pageInfo.hasNextPage;
  document.querySelector('[data-empty]').hidden = list.children.length > 0;
}

function entry({ id, to, subject, createdAt }) {
  const button = element('button', '');
  button.type = 'button';
  button.append(element('strong', subject), element('span', to), element('span', timeOf(createdAt)));
  button.addEventListener('click', () => open(id, button));
  const item = document.createElement('li');
  item.append(button);
  return item;
}

async function open(id, button) {
  const data = await ask(MESSAGE, { id });
  const message = data?.mailboxMessage;
  if (!message) return;
  for (const other of list.querySelectorAll('[aria-current]')) other.removeAttribute('aria-current');
  button.setAttribute('aria-current', 'true');
  const { to, from, replyTo, subject, html, text, headers, createdAt } = message;
  const envelope = {
    From: from,
    To: to,
    ...(replyTo ? { 'Reply to': replyTo } : {}),
    Sent: timeOf(createdAt),
  };
  document.querySelector('#subject').textContent = subject;
  document.querySelector('[data-envelope]').replaceChildren(...described(envelope));
  document.querySelector('[data-headers]').replaceChildren(...described(headers));
  article.querySelector('pre').textContent = text;
  // The frame runs no scripts; its links open beside this page.
  article.querySelector('iframe').srcdoc = `<base target="_blank">${html}`;
  article.hidden = false;
  document.querySelector('#subject').focus();
}

const described = (entries) =>
  Object.entries(entries).flatMap(([name, value]) => [element('dt', name), element('dd', value)]);

const timeOf = (at) => new Date(at).toLocaleString();

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

form.addEventListener('submit', signIn);
mode.addEventListener('change', refresh);
older.addEventListener('click', showOlder);
document.querySelector('[data-refresh]').addEventListener('click', refresh);
form.hidden = false;
