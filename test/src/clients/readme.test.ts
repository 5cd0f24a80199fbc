import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';
import { compilePrograms, installClient, manifestIn } from './installed-client.fixture.ts';

const stack = useStack();
let folder: string;
let recipes: string;
let compiled: ReturnType<typeof compilePrograms>;

const scopes = [
  ...['members:read', 'members:write', 'points:write', 'orders:write', 'imports:write'],
  ...['predictions:read', 'model:bulk:read'],
];

/** A program that tests the webhook handler of the README with messages that another library signed. */
const SIGNED = `
import { Webhook } from 'standardwebhooks';
const secret = 'whsec_' + btoa('a secret of twenty-four bytes');
const sent = JSON.stringify({ type: 'member.created', data: {} });
const now = new Date();
const headersOf = (signature: string) => ({
  'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)), 'webhook-signature': signature,
});
for (const signature of [new Webhook(secret).sign('evt_1', now, sent), 'v1,AAAA'])
  console.log((await receive(new Request('http://127.0.0.1/', { method: 'POST', body: sent,
    headers: headersOf(signature) }), secret)).status);
`;

/** Programs that the types must refuse, and a pattern of the error message. */
const mistakes: readonly (readonly [string, RegExp])[] = [
  ["client.v2.GET('/api/v2/nothing', {})", /nothing/],
  ["client.v2.POST('/api/v2/members', { body: { mail: 'x' } })", /mail/],
  ["(error as LoyaltyError).reason === 'NO_SUCH_REASON'", /NO_SUCH_REASON/],
  ["live.subscribe('noSubscription', {}, {})", /noSubscription/],
  ["live.subscribe('memberActivity', { id: 'x' }, { kind: true })", /'id' does not exist/],
  ["live.subscribe('memberActivity', {}, { kind: true })", /memberId/],
  ["live.subscribe('memberActivity', { memberId: 'x' }, { kinds: true })", /kinds|never/],
  ["live.subscribe('memberActivity', { memberId: 'x' }, { member: { nothing: true } })", /nothing|never/],
  ["live.subscribe('memberActivity', { memberId: 'x' }, { member: true })", /true/],
  ["live.subscribe('workspaceActivity', { kinds: ['NO_KIND'] }, { kind: true })", /NO_KIND/],
  ["(await live.subscribe('walletChanged', {}, { plan: true }).next()).value?.balance", /balance/],
];

/** A program that the graph allows, which checks the types of the selected fields. */
const SELECTED = `
  for await (const event of live.subscribe(
    'memberActivity', { memberId: 'x' }, { kind: true, occurredAt: true, member: { id: true, tags: { tag: { key: true } } } },
  )) {
    const kind: 'POINTS_AWARDED' = event.kind as Extract<typeof event.kind, 'POINTS_AWARDED'>;
    const key: string | undefined = event.member?.tags[0]?.tag.key;
    // @ts-expect-error it was not selected
    event.id;
    void [kind, key];
  }
  for await (const { plan } of live.subscribe('walletChanged', {}, { plan: true })) {
    const text: string = plan;
    void text;
  }`;

const withClient = (
  expression: string,
): string => `import { createLoyaltyClient, LoyaltyError } from '@loyalty/client';
  const client = createLoyaltyClient({ url: '', key: '' });
  const { live } = client;
  const error: unknown = null;
  void [client, live, error, LoyaltyError, ${expression}];`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loyalty-client-'));
  stack.beforeClose(() => rm(folder, { recursive: true, force: true }));
  installClient(folder);
  const readme = await readFile(join(folder, 'node_modules/@loyalty/client/README.md'), 'utf8');
  recipes = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code).join('\n');
  // All programs are compiled together, because most of the time goes into reading the libraries.
  compiled = compilePrograms(folder, {
    recipes,
    tour: await readFile(new URL('tour.program.txt', import.meta.url), 'utf8'),
    selected: withClient('null') + SELECTED,
    ...Object.fromEntries(mistakes.map(([mistake], at) => [`mistake-${at}`, withClient(mistake)])),
  });
});

test('the ten recipes of the README make one program that type-checks and does what it says', async () => {
  await stack.work();
  const { token } = await stack.signUp();
  const { data } = await stack.graph<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'client', scopes, mode: 'LIVE' } },
    token,
  );
  expect(compiled['recipes']!.faults).toBe('');
  const modules = new URL('../../../node_modules/', import.meta.url);
  for (const name of ['standardwebhooks', '@stablelib', 'fast-sha256'])
    await symlink(new URL(name, modules), join(folder, 'node_modules', name));
  const { signed } = compilePrograms(folder, { signed: recipes + SIGNED });
  expect(signed.faults).toBe('');
  const env = { PATH: process.env['PATH'], LOYALTY_URL: stack.url, LOYALTY_KEY: data.createApiKey.secret };
  const { stdout } = await promisify(execFile)(process.execPath, [signed.file], { cwd: folder, env });
  expect(stdout.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>').split('\n')).toEqual(
    expect.arrayContaining([
      'Bo has 120 points.',
      '<id> active',
      'No member has the id <id>. (request <id>)',
      'Import: COMPLETED, 2 rows.',
      'It happened: POINTS_AWARDED',
      '204',
      '400',
    ]),
  );
});

test('a program that was written from the README alone does the tour of the product', async () => {
  await stack.work();
  const { token } = await stack.signUp();
  const { data } = await stack.graph<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    {
      input: {
        name: 'model',
        scopes: ['members:write', 'model:bulk:write', 'model:bulk:read'],
        mode: 'LIVE',
      },
    },
    token,
  );
  const tour = compiled['tour']!;
  expect(tour.faults).toBe('');
  const env = {
    PATH: process.env['PATH'],
    LOYALTY_URL: stack.url,
    LOYALTY_MODEL_KEY: data.createApiKey.secret,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [tour.file], { cwd: folder, env });
  expect(stdout.trim().split('\n')).toEqual([
    'balance 120',
    'import COMPLETED_WITH_ERRORS 1',
    'segment Everybody',
    'bulk COMPLETED 0',
    'states 0',
    'true CREDENTIAL_INVALID',
    'true SCOPE_MISSING',
    'true CREDENTIAL_INVALID',
  ]);
});

test.each(mistakes.map(([mistake, sentence], at) => [mistake, sentence, at] as const))(
  'types refuse %s',
  (_, sentence, at) => {
    expect(compiled[`mistake-${at}`]!.faults).toMatch(sentence);
  },
);

test('a subscription takes the arguments of the graph, and its events have the selected fields', () => {
  expect(compiled['selected']!.faults).toBe('');
});

test('the package has graphql as a peer dependency, so that a project has it once, and can be published', () => {
  const manifest = manifestIn(join(folder, 'node_modules/@loyalty/client'));
  expect(Object.keys(manifest.dependencies)).toEqual(['graphql-ws', 'openapi-fetch']);
  expect(Object.keys(manifest.peerDependencies)).toEqual(['graphql']);
  expect(manifest.private).toBeUndefined();
  expect(manifest.license).toBe('UNLICENSED');
});
