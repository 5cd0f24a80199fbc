// Runs in the browser, served as it is: shows the document in Scalar's API reference.

// Its checks are not compiled: the page may not evaluate text.
globalThis.__zod_globalConfig = { jitless: true };
// It keeps credentials in the local storage: they must not outlive the tab.
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage });

const part = (id) => document.getElementById(id);
const { document: address, script: source } = document.body.dataset;
const KEPT = 'loyalty-reference-key';

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
async function makeTestKey() {
  const account = await (await fetch('/docs/demo-account.json')).json();
  const { token } = await post('/api/v2/auth/login', account);
  const query = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';
  const input = { name: 'reference', scopes: SCOPES, mode: 'TEST' };
  const { data } = await post('/graphql', { query, variables: { input } }, token);
  return data.createApiKey.secret;
}

/** Loads a script that leaves its name in `globalThis`. */
const load = (src) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src });
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('The reference could not be loaded.')));
    document.head.append(script);
  });

/** Links that name an operation alone lead to it. */
function openOperation({ paths }) {
  const id = location.hash.slice(1);
  const found = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === id);
  if (found) history.replaceState(null, '', `#tag/${found.tags[0]}/${id}`);
}

const [content] = await Promise.all([fetch(address).then((answer) => answer.json()), load(source)]);
openOperation(content);

const configuration = (key) => ({
  content,
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  // The bar has the link to the document as it is served.
  documentDownloadType: 'none',
  modelsSectionLabel: 'Schemas',
  persistAuth: true,
  authentication: {
    preferredSecurityScheme: 'bearer',
    ...(key && { securitySchemes: { bearer: { token: key } } }),
  },
  generateHeadingSlug: ({ slug }) => slug,
  generateOperationSlug: ({ operationId }) => operationId,
});

// Scalar would take what the element holds for a page that was rendered before.
part('reference').replaceChildren();
const reference = globalThis.Scalar.createApiReference(
  '#reference',
  configuration(sessionStorage.getItem(KEPT)),
);
const update = () => reference.updateConfiguration(configuration(sessionStorage.getItem(KEPT)));

part('demo')?.addEventListener('click', async ({ currentTarget: button }) => {
  button.disabled = true;
  try {
    sessionStorage.setItem(KEPT, await makeTestKey());
    update();
    part('key-status').textContent = 'The test key is ready: open an operation and send it.';
  } catch (error) {
    part('key-status').textContent = `No key was made: ${error.message}`;
  } finally {
    button.disabled = false;
  }
});
