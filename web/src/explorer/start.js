// Runs in the browser, served as it is.

// The history of the explorer keeps headers, and with them the credential: it must not outlive the tab.
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage });
const KEPT = 'loyalty-explorer-credential';
const CHOSEN = 'loyalty-explorer-saved-query';
/** Set where a person does not want to use the session of the back office. */
const NO_SESSION = 'loyalty-explorer-no-session';
const part = (id) => document.getElementById(id);

const endpoint = new URL('/graphql', location.href);

const workers = { json: 'json.worker.js', graphql: 'graphql.worker.js' };
globalThis.MonacoEnvironment = {
  globalAPI: false,
  getWorker: (_, label) => new Worker(`/graphql/explorer/${workers[label] ?? 'editor.worker.js'}`),
};

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

const savedText = await (await fetch('/graphql/explorer/saved-queries.txt')).text();
/** Each begins with a comment, its title. */
const saved = savedText
  .split(/^(?=# )/m)
  .filter(Boolean)
  .map((text) => ({ title: text.slice(2, text.indexOf('\n')), query: text.trim() }));
for (const { title } of saved) part('saved').append(new Option(title));
part('saved').selectedIndex = Number(sessionStorage.getItem(CHOSEN) ?? 0);

// The editor reads the schema before it has its headers. Without a credential, the request asks for the
// session of the back office.
const send = globalThis.fetch.bind(globalThis);
globalThis.fetch = (address, options = {}) => {
  const headers = new Headers(options.headers);
  const credential = sessionStorage.getItem(KEPT);
  const isOurs = new URL(address, location.href).href === endpoint.href;
  if (isOurs && !headers.get('authorization')) {
    if (credential) headers.set('authorization', `Bearer ${credential}`);
    else headers.set('x-loyalty-session', 'cookie');
  }
  return send(address, { ...options, headers });
};

/** Loads a script that leaves its name in `globalThis`. */
const load = (address) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address });
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('the editor could not be loaded')));
    document.head.append(script);
  });

/** Shows the editor with the saved query that is chosen. It is loaded only when it is needed. */
async function show(credential) {
  await load('/graphql/explorer/graphiql.js');
  const headers = JSON.stringify(credential ? { authorization: `Bearer ${credential}` } : {}, null, 2);
  globalThis.YogaGraphiQL.renderYogaGraphiQL(part('explorer'), {
    endpoint: endpoint.href,
    showPersistHeadersSettings: false,
    // The other pane shows the credential.
    defaultEditorToolsVisibility: 'variables',
    headers,
    initialHeaders: headers,
    query: saved[Number(sessionStorage.getItem(CHOSEN) ?? 0)].query,
    // The editor writes the query into the address. It may hold personal data.
    onEditQuery: () => history.replaceState({}, '', endpoint),
  });
  part('welcome').hidden = true;
  part(credential ? 'leave' : 'other').hidden = false;
}

/** Asks first whether the credential, or the session, may read the schema: the editor has no error to show. */
async function signIn(credential) {
  await post('/graphql', { query: '{ __schema { queryType { name } } }' }, credential);
  if (credential) sessionStorage.setItem(KEPT, credential);
  await show(credential);
}

const trying = (act) =>
  act().catch((error) => {
    part('welcome').hidden = false;
    part('status').textContent = `Not signed in: ${error.message}`;
  });

part('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  trying(() => signIn(part('credential').value.trim()));
});
part('saved').addEventListener('change', () => {
  sessionStorage.setItem(CHOSEN, part('saved').selectedIndex);
  if (part('welcome').hidden) location.reload();
});
part('other').addEventListener('click', () => {
  sessionStorage.setItem(NO_SESSION, 'yes');
  location.reload();
});
part('leave').addEventListener('click', () => {
  sessionStorage.clear();
  location.reload();
});

const demo = await fetch('/docs/demo-account.json').then((answer) => (answer.ok ? answer.json() : null));
part('demo').hidden = !demo;
part('demo').addEventListener('click', () =>
  trying(async () =>
    signIn((await post('/api/v2/auth/login', { email: demo.email, password: demo.password })).token),
  ),
);

const kept = sessionStorage.getItem(KEPT);
const hasSession = document.body.dataset.session === 'kept' && !sessionStorage.getItem(NO_SESSION);
if (kept || hasSession) trying(() => signIn(kept));
else part('welcome').hidden = false;
