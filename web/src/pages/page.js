// Runs in the browser as it is: shows one state of a page at a time, and runs the page's action once its button
// is pressed.

const ANSWER_MS = 15_000;
/** What a page loads before it shows its form. */
const LOADED_BY = {
  enrol: 'enrollment-page',
  invitation: 'invitation-page',
  preferences: 'preferences-page',
};
/** The link cannot be used any more. */
const LINK_CODES = ['TOKEN_INVALID', 'ENROLLMENT_FORM_NOT_FOUND'];
const MESSAGE_BY_CODE = {
  PASSWORD_WEAK: 'weakPassword',
  CREDENTIAL_INVALID: 'wrongPassword',
  REFERRAL_CODE_INVALID: 'wrongCode',
};

const main = document.querySelector('main');
const form = document.querySelector('form');
const button = form.querySelector('button');
const status = document.querySelector('#status');
const alert = document.querySelector('[data-alert]');
/** Of the preference centre alone. */
const saved = document.querySelector('[data-saved]');
const { page } = main.dataset;
const messages = JSON.parse(main.dataset.messages);
let token = '';
let isBusy = false;

/** The token leaves the address at once, so that no history keeps it. */
function takeToken() {
  if (page === 'enrol') return decodeURIComponent(location.pathname.split('/').at(-1));
  const given = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname);
  return given;
}

function show(state, { hasFocus = true } = {}) {
  for (const section of document.querySelectorAll('[data-state]'))
    section.hidden = section.dataset.state !== state;
  status.textContent = '';
  if (hasFocus) document.querySelector(`[data-state="${state}"] h1`).focus();
}

/** Runs an action: `{ answer }`, or `{ error: { code, field, retryAfterSeconds } }`; OFFLINE where none came. */
async function ask(action, values) {
  try {
    const response = await fetch(`/pages/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(values),
      // The cookie of a member comes with the answer of this one.
      credentials: action === 'sign-in' ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const reply = await response.json();
    return response.ok ? reply : { error: reply.error ?? { code: 'INTERNAL' } };
  } catch {
    return { error: { code: 'OFFLINE' } };
  }
}

async function start() {
  token = takeToken();
  clearErrors();
  if (token === '') return show('invalid', { hasFocus: false });
  offerPreferences();
  const load = LOADED_BY[page];
  if (!load) return show('ready', { hasFocus: false });
  status.textContent = messages.loading;
  const { answer, error } = await ask(load, { token });
  if (error && LINK_CODES.includes(error.code)) return show('invalid');
  if (error) return show('unreachable');
  if (!answer) return show('invalid');
  DESCRIBED_BY[page](answer);
  show('ready', { hasFocus: false });
}

/** The way from the unsubscribe page to the other choices of the same recipient. */
function offerPreferences() {
  const more = document.querySelector('[data-more]');
  if (!more) return;
  more.hidden = false;
  more.querySelector('a').href = `/preferences#token=${token}`;
}

function nameWorkspace(name) {
  for (const place of document.querySelectorAll('[data-workspace]')) place.textContent = name;
  document.title = document.querySelector('[data-state="ready"] h1').textContent;
}

/** What the recipient of a message has chosen. What cannot be granted here again is shown, but not offered. */
function showPreferences({ workspaceName, isUnsubscribed, consents }) {
  nameWorkspace(workspaceName);
  for (const choice of document.querySelectorAll('[data-consent]')) {
    const consent = consents.find(({ purpose }) => purpose === choice.dataset.consent);
    const box = choice.querySelector('input');
    choice.hidden = !consent;
    box.checked = consent?.isGranted ?? false;
    box.disabled = consent?.purpose === 'EMAIL_MARKETING' && !consent.isGranted;
  }
  document.querySelector('[data-final]').textContent = isUnsubscribed
    ? messages.unsubscribed
    : messages.mailIsFinal;
}

/** Shows what the form asks for. */
function describe({ workspaceName, fields, consents }) {
  nameWorkspace(workspaceName);
  for (const field of document.querySelectorAll('[data-field]')) {
    const asked = fields.find(({ name }) => name === field.dataset.field);
    field.hidden = !asked;
    field.querySelector('input').required = asked?.isRequired ?? false;
    field.querySelector('[data-optional]').hidden = asked?.isRequired ?? false;
  }
  for (const consent of document.querySelectorAll('[data-consent]'))
    consent.hidden = !consents.includes(consent.dataset.consent);
  form.elements.referralCode.value ||= new URLSearchParams(location.search).get('ref') ?? '';
}

/** Asks for a name only where an account is made. */
function describeInvitation({ workspaceName, hasAccount }) {
  nameWorkspace(workspaceName);
  const [name, password] = ['name', 'password'].map((each) =>
    document.querySelector(`[data-field="${each}"]`),
  );
  name.hidden = hasAccount;
  name.querySelector('input').required = !hasAccount;
  password.querySelector('.rule').hidden = hasAccount;
  password.querySelector('input').autocomplete = hasAccount ? 'current-password' : 'new-password';
  document.querySelector('[data-text]').textContent = hasAccount
    ? messages.knownAccount
    : messages.newAccount;
}

const DESCRIBED_BY = { enrol: describe, invitation: describeInvitation, preferences: showPreferences };

/** What was filled in; what was left empty is left out. */
function valuesOf() {
  const entries = [...form.elements]
    .filter(({ name, type, value }) => name && type !== 'checkbox' && value.trim() !== '')
    .map(({ name, type, value }) => [name, type === 'password' ? value : value.trim()]);
  if (page === 'preferences') return { token, consents: choices() };
  if (page !== 'enrol') return { token, ...Object.fromEntries(entries) };
  const consents = [...form.querySelectorAll(':checked')].map(({ value }) => value);
  return { token, ...Object.fromEntries(entries), consents, locale: document.documentElement.lang };
}

/** What is shown, whether it can be changed or not. */
const choices = () =>
  [...form.querySelectorAll('[data-consent]:not([hidden]) input')].map(({ value, checked }) => ({
    purpose: value,
    isGranted: checked,
  }));

function setError(input, message) {
  const place = document.getElementById(`${input.id}-error`);
  place.textContent = message;
  place.hidden = message === '';
  input.setAttribute('aria-invalid', String(message !== ''));
}

function clearErrors() {
  if (saved) saved.textContent = '';
  alert.hidden = true;
  alert.textContent = '';
  for (const input of form.querySelectorAll('[data-field] input')) setError(input, '');
}

/** The first input that cannot be sent gets the focus. */
function check() {
  const wrong = [...form.querySelectorAll('[data-field]:not([hidden]) input')].filter(
    ({ validity }) => !validity.valid,
  );
  for (const input of wrong) setError(input, input.validity.valueMissing ? messages.required : ruleOf(input));
  wrong[0]?.focus();
  return wrong.length === 0;
}

const ruleOf = ({ id }) =>
  [messages.invalid, document.getElementById(`${id}-rule`).textContent].join(' ').trim();

function showError({ code, field, retryAfterSeconds }) {
  if (LINK_CODES.includes(code)) return show('invalid');
  const input = field && form.elements[field.replace(/^input\./, '')];
  if (input) {
    setError(input, messages[MESSAGE_BY_CODE[code]] ?? ruleOf(input));
    return input.focus();
  }
  alert.textContent = textOf(code, retryAfterSeconds);
  alert.hidden = false;
}

function textOf(code, seconds) {
  if (code === 'OFFLINE') return messages.offline;
  if (code === 'RATE_LIMITED') return messages.tooMany.replace('{seconds}', seconds ?? 60);
  return messages[MESSAGE_BY_CODE[code]] ?? messages.failed;
}

async function submit(event) {
  event.preventDefault();
  // A second press while the first is under way does nothing.
  if (isBusy) return;
  clearErrors();
  if (!check()) return;
  setBusy(true);
  const { answer, error } = await ask(page, valuesOf());
  setBusy(false);
  if (error) return showError(error);
  if (page === 'preferences') {
    showPreferences(answer);
    saved.textContent = messages.saved;
    return;
  }
  form.reset();
  token = '';
  show('done');
}

function setBusy(busy) {
  isBusy = busy;
  button.setAttribute('aria-disabled', String(busy));
  form.setAttribute('aria-busy', String(busy));
  status.textContent = busy ? messages.working : '';
}

function withdrawAll() {
  for (const box of form.querySelectorAll('[data-consent] input')) box.checked = false;
  form.requestSubmit();
}

form.addEventListener('submit', submit);
document.querySelector('[data-everything]')?.addEventListener('click', withdrawAll);
document.querySelector('[data-retry]').addEventListener('click', start);
// Another link to this page, opened in the same tab, changes no more than the fragment.
addEventListener('hashchange', start);
await start();
