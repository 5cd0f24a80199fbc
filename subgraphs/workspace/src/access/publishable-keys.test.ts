import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven } from '../workspace.fixture.ts';
import { createApiKey } from './api-keys.service.ts';

const { services } = useServices();
const given = createGiven(services);

const FIELDS = 'secret apiKey { id kind origins scopes prefix mode expiresAt }';
const CREATE = `mutation ($input: CreatePublishableKeyInput!) { createPublishableKey(input: $input) { ${FIELDS} } }`;
const ROTATE = `mutation ($id: ID!) { rotateApiKey(id: $id) { ${FIELDS} } }`;

interface Created {
  readonly secret: string;
  readonly apiKey: Readonly<Record<string, unknown>> & { readonly id: string };
}
type Owner = Awaited<ReturnType<typeof given.owner>>;
const create = (ctx: Owner['ctx'], input: object = {}) =>
  given.run<{ createPublishableKey: Created }>(ctx, CREATE, { input: { name: 'Website', ...input } });

test('a publishable key has its own prefix and one scope, and is known as publishable', async () => {
  const { ctx, workspaceId } = await given.owner();
  const origins = ['https://shop.example.com', 'https://shop.example.com', 'http://localhost:3000'];
  const { secret, apiKey } = (await create(ctx, { origins })).data.createPublishableKey;
  expect(secret).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);
  expect(apiKey).toMatchObject({
    kind: 'PUBLISHABLE',
    origins: ['https://shop.example.com', 'http://localhost:3000'],
    scopes: ['tracking:write'],
    mode: 'LIVE',
    expiresAt: null,
  });
  const { caller } = await given.contextOf(secret);
  expect(caller).toMatchObject({
    kind: 'PUBLISHABLE',
    actor: `key:${apiKey.id}`,
    workspaceId,
    scopes: ['tracking:write'],
    origins: apiKey['origins'],
  });
});

test('a new key in place of a publishable one is for the same websites', async () => {
  const { ctx } = await given.owner();
  const origins = ['https://shop.example.com'];
  const { apiKey } = (await create(ctx, { origins, mode: 'TEST' })).data.createPublishableKey;
  const { rotateApiKey } = (await given.run<{ rotateApiKey: Created }>(ctx, ROTATE, { id: apiKey.id })).data;
  expect(rotateApiKey.secret).toMatch(/^pk_test_/);
  expect(rotateApiKey.apiKey).toMatchObject({ kind: 'PUBLISHABLE', origins, mode: 'TEST' });
});

test.each([['https://shop.example.com/'], ['shop.example.com'], ['*'], ['ftp://shop.example.com']])(
  '%s is no origin',
  async (origin) => {
    const { ctx } = await given.owner();
    expect(await create(ctx, { origins: ['https://a.example.com', origin] })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'input.origins[1]',
    });
  },
);

test('a key makes publishable keys only with keys:manage and tracking:write, a test key only for test', async () => {
  const { ctx } = await given.owner();
  const keyWith = async (scopes: readonly string[], mode: 'LIVE' | 'TEST' = 'LIVE') =>
    given.contextOf((await createApiKey(ctx, { name: 'Manager', scopes, mode })).secret);
  expect(await create(await keyWith(['tracking:write']))).toMatchObject({ reason: 'SCOPE_MISSING' });
  expect(await create(await keyWith(['keys:manage']))).toMatchObject({ reason: 'SCOPE_MISSING' });
  const tester = await keyWith(['keys:manage', 'tracking:write'], 'TEST');
  expect(await create(tester, { mode: 'LIVE' })).toMatchObject({ reason: 'LIVE_ONLY' });
  expect((await create(tester)).data.createPublishableKey.apiKey).toMatchObject({ mode: 'TEST' });
});

test('a publishable key that was revoked is no credential any more', async () => {
  const { ctx } = await given.owner();
  const { secret, apiKey } = (await create(ctx)).data.createPublishableKey;
  await given.run(ctx, 'mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: apiKey.id });
  await expect(given.contextOf(secret)).rejects.toThrow('not valid');
});
