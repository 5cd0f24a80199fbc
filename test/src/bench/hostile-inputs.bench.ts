import { setTimeout as delay } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { startMeasuredProduct } from './measured-product.ts';

/**
 * Sends inputs that a hostile tenant could send, one after the other, to the product in a process of its own,
 * and polls `/healthz` all the time. For each input it prints how long the slowest of those polls took, which
 * is how long this input kept every other tenant waiting. It fails when one took longer than a second.
 *
 * An argument selects the inputs whose names contain it.
 */
const chosen = process.argv[2] ?? '';
const WAIT_MAX_MS = 1_000;
const POLL_MS = 10;
/** The polls continue after the answer, to measure the work of the worker as well. */
const AFTERWARDS_MS = 300;
const IN_BACKGROUND_MS = 6_000;

const product = await startMeasuredProduct();
const { rest, graph, url } = product;

interface Answer {
  readonly status: number;
  readonly text: string;
}
interface Input {
  readonly name: string;
  readonly isBackground?: boolean;
  send(): Promise<Answer>;
}

const token = await signUp();
const memberId = await createMember();

async function signUp(): Promise<string> {
  const account = { email: 'hostile@example.com', password: 'a long hostile password' };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Bench' } });
  const { body } = await rest('POST', '/api/v2/auth/login', { body: account });
  const { data } = await graph<{ modules: { key: string }[] }>('{ modules { key } }', {}, body.token);
  for (const { key } of data.modules)
    await graph(
      'mutation ($key: String!) { setModule(key: $key, enabled: true) { key } }',
      { key },
      body.token,
    );
  return body.token;
}

async function createMember(): Promise<string> {
  const body = { email: 'ada@example.com', fullName: 'Ada' };
  return (await rest('POST', '/api/v2/members', { as: token, body })).body.id;
}

/** Posts a body without checking the answer against the OpenAPI documents. */
async function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const nested = (depth: number, [open, close] = ['[', ']']) => open!.repeat(depth) + close!.repeat(depth);
const filled = (piece: string, length = 230_000) => piece.repeat(Math.floor(length / piece.length));
const many = (count: number, key: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 1]));

const json = (name: string, path: string, body: string): Input => ({ name, send: () => post(path, body) });
const operation = (name: string, query: string, variables: string): Input =>
  json(name, '/graphql', `{"query":${JSON.stringify(query)},"variables":${variables}}`);

const file = (name: string, content: string, path = '/api/v2/members/import', type = 'text/csv'): Input => ({
  name: `import: ${name}`,
  isBackground: true,
  send: () => post(path, content, { 'content-type': type }),
});

const facts = (name: string, format: 'csv' | 'json', content: string): Input =>
  json(`facts: ${name}`, '/api/v1/data', JSON.stringify({ kind: 'events', format, mapping: {}, content }));

const samples = (name: string, content: string): Input =>
  json(
    `samples: ${name}`,
    '/api/v1/training',
    JSON.stringify({
      action: 'upload',
      name,
      confirmed: true,
      config: { task: 'return', origin: 'live', horizon: 30, featureDefinition: 'f_a: x' },
      content: `sample_id,entity_id,as_of,label_end,target,f_a\n${content}`,
    }),
  );

const template = (name: string, source: string, format = 'HTML'): Input =>
  operation(
    `template: ${name}`,
    `mutation ($source: String!) { createMessageTemplate(input: {
       name: "${name}", category: TRANSACTIONAL, format: ${format}, subject: "x", source: $source
     }) { id } }`,
    JSON.stringify({ source }),
  );

const message = (name: string, html: string): Input => ({
  ...json(
    `message: ${name}`,
    '/api/v2/transactional/send',
    JSON.stringify({ subject: 'x', html, member_id: memberId, data: { a: 'x'.repeat(60_000) } }),
  ),
  isBackground: true,
});

const segment = (name: string, definition: object): Input =>
  operation(
    `segment: ${name}`,
    'query ($definition: JSONObject!) { previewSegment(definition: $definition) { count } }',
    JSON.stringify({ definition }),
  );

const journey = (name: string, field: string, nodes: readonly object[]): Input =>
  operation(
    `journey: ${name}`,
    `query ($definition: JSONObject!) { ${field} { __typename } }`,
    JSON.stringify({
      definition: {
        entry: { event: { type: 'order.created' } },
        reentry: { rule: 'NEVER' },
        start: 'n0',
        nodes,
      },
    }),
  );

const splits = Array.from({ length: 100 }, (_, place) => ({
  id: `n${place}`,
  type: 'split',
  branches: Array.from({ length: 10 }, (_each, branch) => ({
    key: `k${branch}`,
    weight: 1,
    next: place + branch < 99 ? `n${place + branch + 1}` : null,
  })),
}));
const conditions = Array.from({ length: 99 }, (_, count) => ({
  event: 'order.created',
  operator: 'at_least',
  count: count + 1,
  within_days: 365,
}));

/** A PNG with as many pixels as the product accepts at most. */
function picture(side: number): string {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((side + 1) * side))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

const nestedExpressions =
  '{% assign a=(1..50000) %}{{ a | where_exp: "i", "a | find_exp: \'j\', \'j == 0\'" | size }}';
const nestedLoops = '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ b }}{% endfor %}{% endfor %}';
const doubled = `{% assign a = data.a %}${'{% assign a = a | append: a | split: "x" | join: "xx" %}'.repeat(200)}`;
const sorted = `{% assign a = (1..900000) %}{{ a${' | reverse | sort | uniq'.repeat(300)} | size }}`;

const inputs: readonly Input[] = [
  json(
    'depth: attributes',
    '/api/v2/members',
    `{"email":"x@example.com","customAttributes":{"a":${nested(1e5)}}}`,
  ),
  operation(
    'depth: variables',
    'query ($a: JSONObject!) { previewSegment(definition: $a) { count } }',
    `{"a":{"a":${nested(1e5)}}}`,
  ),
  json(
    'depth: graph literal',
    '/graphql',
    JSON.stringify({ query: `{ previewSegment(definition: ${nested(900)}) { count } }` }),
  ),
  {
    name: 'depth: tool',
    send: () =>
      post(
        '/api/mcp',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"points_balance","arguments":{"memberId":${nested(1e5)}}}}`,
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      ),
  },
  json(
    'keys: attributes',
    '/api/v2/members',
    JSON.stringify({ email: 'x@example.com', customAttributes: many(12_000, (i) => `k${i}`) }),
  ),
  json('keys: facts', '/api/v1/data', JSON.stringify(many(400_000, (i) => `k${i}`))),
  json(
    'keys: mapping of facts',
    '/api/v1/data',
    JSON.stringify({
      kind: 'members',
      format: 'csv',
      mapping: many(200_000, (i) => `k${i}`),
      content: 'a\n',
    }),
  ),
  json(
    'text: e-mail address',
    '/api/v2/members',
    JSON.stringify({ email: `${'a'.repeat(1e5)}@${'a.'.repeat(5e4)}` }),
  ),
  json(
    'text: telephone number',
    '/api/v2/members',
    JSON.stringify({ email: 'q@example.com', phone: `+${'1 '.repeat(1e5)}` }),
  ),
  json(
    'text: address of a webhook',
    '/api/v2/webhooks',
    JSON.stringify({ url: `https://${'a.'.repeat(1e5)}`, eventTypes: ['*'] }),
  ),
  file('a line of quotes', `email,name\n"${'""'.repeat(4e6)}`),
  file('quotes and line ends', `email,name\n${'"\n'.repeat(4e6)}`),
  file('a million columns', `email,${'a,'.repeat(1e6)}\n${'b,'.repeat(1e6)}`),
  file('line ends', `email,name\n${'\n'.repeat(8e6)}`),
  file('wrong rows', `email,name\n${'a,b\n'.repeat(2e6)}`),
  file(
    'deep rows',
    `{"email":${nested(2e5)}}\n`.repeat(20),
    '/api/v2/members/import',
    'application/x-ndjson',
  ),
  file('empty rows', '{}\n'.repeat(3e6), '/api/v2/members/import', 'application/x-ndjson'),
  file(
    'orders with deep items',
    `external_order_id,items\n${`o,"${'['.repeat(1e5)}"\n`.repeat(40)}`,
    '/api/v2/orders/import',
  ),
  file(
    'products with deep categories',
    `sku,name,category\n${`s,n,${'a>'.repeat(5e4)}\n`.repeat(60)}`,
    '/api/v2/catalog/import',
  ),
  facts('a line of quotes', 'csv', `external_id,member_id,type,occurred_at\n${'"'.repeat(5e6)}`),
  facts('short rows', 'csv', `external_id,member_id,type,occurred_at\n${'a,b\n'.repeat(1.2e6)}`),
  facts('line ends', 'csv', `external_id,member_id,type,occurred_at\n${'\n'.repeat(2.6e6)}`),
  facts('depth', 'json', nested(2.5e6)),
  facts('empty rows', 'json', `[${'{},'.repeat(1.6e6)}{}]`),
  samples('wrong rows', '1,m,2025-01-01,2025-02-01,1,2\n'.repeat(65_000)),
  samples('quotes', '"'.repeat(2e6)),
  template('elements', filled('<table><tr><td>')),
  template('comments', filled('<!--')),
  template('attributes', `<p ${filled('a=1 ')}`),
  template('entities', filled('&#x41;')),
  template('outputs', filled('{{ a }}')),
  template('assignments', filled('{% assign a = 1 %}')),
  template('filters', `{{ data.a${filled(' | upcase')} }}`),
  template('operators', `{% if data.a${filled(' and data.a')} %}x{% endif %}`),
  template('properties', `{{ data${filled('.a')} }}`),
  template('conditions', filled('{% if a %}', 1e5)),
  template('comments of Liquid', filled('{% comment %}')),
  template('styles', `<style>${filled('a>b~c+d ', 1e5)}{color:red}</style><p>x</p>`),
  template(
    'styled elements',
    `<style>${filled('.a div p{color:red}', 1e5)}</style>${filled('<p>x</p>', 1e5)}`,
  ),
  template('MJML columns', `<mjml><mj-body><mj-section>${filled('<mj-column>')}`, 'MJML'),
  template('MJML brackets', `<mjml>${filled('<')}`, 'MJML'),
  message('nested expressions', nestedExpressions),
  message('nested loops', nestedLoops),
  message('doubled text', doubled),
  message('sorted lists', sorted),
  segment('a hundred events', { op: 'or', conditions }),
  segment('a list of values', {
    field: 'tags',
    operator: 'includes_any',
    value: Array.from({ length: 500 }, (_, i) => `t${i}`),
  }),
  journey('branches', 'simulateJourney(definition: $definition, sampleSize: 1000)', splits),
  journey(
    'conditions',
    'simulateJourney(definition: $definition, sampleSize: 1000)',
    splits.map(({ id }, i) => ({
      id,
      type: 'condition',
      condition: { op: 'and', conditions: conditions.slice(0, 20) },
      next: splits[i + 1]?.id ?? null,
      otherwise: null,
    })),
  ),
  {
    ...operation(
      'receipt: 24 megapixels',
      'mutation ($m: ID!, $i: Base64!) { submitReceipt(input: {memberId: $m, image: $i}) { id } }',
      JSON.stringify({ m: memberId, i: picture(4_900) }),
    ),
    isBackground: true,
  },
];

async function waitsOf({ send, isBackground }: Input) {
  let isDone = false;
  let slowestMs = 0;
  const polling = (async () => {
    while (!isDone) {
      const start = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - start);
      await delay(POLL_MS);
    }
  })();
  const answer = await send().catch((error: Error) => ({ status: 0, text: error.message }));
  await delay(isBackground ? IN_BACKGROUND_MS : AFTERWARDS_MS);
  isDone = true;
  await polling;
  return { slowestMs, answer };
}

const slow: string[] = [];
for (const input of inputs.filter(({ name }) => name.includes(chosen))) {
  const { slowestMs, answer } = await waitsOf(input);
  if (slowestMs > WAIT_MAX_MS) slow.push(input.name);
  const said = answer.text.replaceAll(/\s+/g, ' ').slice(0, 100);
  console.log(`${input.name.padEnd(38)} ${slowestMs.toFixed(0).padStart(6)} ms   ${answer.status} ${said}`);
}
await product.end();
if (slow.length > 0) {
  console.error(`Others waited longer than ${WAIT_MAX_MS} ms for: ${slow.join(', ')}.`);
  process.exitCode = 1;
}
