// Runs in the browser, served as it is. Without it the page can be read, but sends nothing.
const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

const KEPT = 'loyalty-reference-key';
const key = find('#key');
const status = find('#key-status');

/** The key lives as long as the tab. */
function keep(secret) {
  key.value = secret;
  sessionStorage.setItem(KEPT, secret);
}

key.value = sessionStorage.getItem(KEPT) ?? '';
key.addEventListener('input', () => keep(key.value.trim()));
for (const part of all('#try-it, form.try')) part.hidden = false;

async function post(path, body, credential) {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(credential && { authorization: `Bearer ${credential}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  const problem = answer.error ?? answer.errors?.[0]?.message;
  if (problem) throw new Error(problem);
  return answer;
}

const SCOPES = [
  'members:read',
  'members:write',
  'points:write',
  'orders:read',
  'orders:write',
  'coupons:read',
  'coupons:write',
  'stores:read',
  'metrics:read',
];

/** Signs in as the demo account and makes a key that sees and changes test data only. */
async function makeTestKey({ email, password }) {
  const { token } = await post('/api/v2/auth/login', { email, password });
  const query = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }`;
  const input = { name: 'reference', scopes: SCOPES, mode: 'TEST' };
  const { data } = await post('/graphql', { query, variables: { input } }, token);
  keep(data.createApiKey.secret);
}

find('#demo')?.addEventListener('click', async ({ currentTarget: button }) => {
  button.disabled = true;
  try {
    await makeTestKey(button.dataset);
    status.textContent = 'The test key is ready: open an operation and send it.';
  } catch (error) {
    status.textContent = `No key was made: ${error.message}`;
  } finally {
    button.disabled = false;
  }
});

/** What a person reads of an answer. */
async function shown(response) {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body = isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const code = response.headers.get('x-error-code');
  return `${response.status}${code ? ` ${code}` : ''}\n${body}`;
}

async function send(form) {
  const { path, body } = form.elements;
  const headers = key.value ? { authorization: `Bearer ${key.value}` } : {};
  if (body) headers['content-type'] = 'application/json';
  // Only this origin is asked: a key must not leave it.
  const address = new URL(path.value, location.origin);
  if (address.origin !== location.origin) return 'The path must begin with one slash.';
  const { method } = form.dataset;
  return shown(await fetch(address, { method, headers, ...(body && { body: body.value }) }));
}

for (const form of all('form.try')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = await send(form).catch((error) => `Nothing was answered: ${error.message}`);
    const result = document.createElement('pre');
    result.tabIndex = 0;
    result.textContent = text;
    find('.reply', form).replaceChildren(result);
  });
}

find('#filter').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const group of all('.group')) {
    const operations = all('.operation', group);
    for (const each of operations) {
      each.hidden = !words.every((word) => each.dataset.find.includes(word));
      if (!each.hidden) count += 1;
    }
    group.hidden = operations.every((each) => each.hidden);
  }
  find('#found').textContent = words.length > 0 ? `${count} found` : '';
});

/** A link to something closed opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
