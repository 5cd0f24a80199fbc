import { describe, expect, test } from '@jest/globals';
import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { createGiven } from '../workspace.fixture.ts';
import { createApiKey, createIntegrationKey, rotateApiKey } from './api-keys.service.ts';
import { isKeySecret, newKeySecret } from './key-secret.ts';
import { v1Scopes, v2Scopes } from './scopes.ts';

const { services } = useServices();
const given = createGiven(services);

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
  secret apiKey { id name prefix lastFour scopes mode expiresAt } } }`;
const INTEGRATION = `mutation ($name: String!, $scopes: [String!]!) {
  createIntegrationKey(name: $name, scopes: $scopes) { secret apiKey { id scopes mode } } }`;
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }';
const LIST = 'query ($isRevoked: Boolean) { apiKeys(isRevoked: $isRevoked) { totalCount nodes { id } } }';

interface Created {
  createApiKey: {
    secret: string;
    apiKey: { id: string; prefix: string; lastFour: string; scopes: string[]; expiresAt: string | null };
  };
}
const create = (ctx: Parameters<typeof given.run>[0], input: object) =>
  given.run<Created>(ctx, CREATE, { input: { name: 'Till', scopes: ['members:read'], ...input } });

describe('the secret', () => {
  test('is shown once, listed by its ends, and stored as a keyed hash only', async () => {
    const { ctx } = await given.owner();
    const { createApiKey: made } = (await create(ctx, {})).data;
    expect(made.secret).toMatch(/^lk_live_[0-9A-Za-z]{38}$/);
    expect(made.apiKey.prefix).toBe(`${made.secret.slice(0, 12)}…${made.secret.slice(-4)}`);
    const stored = await services.database.sql.query('SELECT * FROM workspace.api_keys');
    expect(JSON.stringify(stored)).not.toContain(made.secret.slice(8, 40));
  });

  test('with one character mistyped is not taken for a key', () => {
    const anyMistake = fc.tuple(fc.integer({ min: 8, max: 45 }), fc.constantFrom(...'0Aa9Zz5Kk'));
    fc.assert(
      fc.property(fc.constantFrom('LIVE' as const, 'TEST' as const), anyMistake, (mode, [place, letter]) => {
        const secret = newKeySecret(mode, 'SECRET');
        expect(isKeySecret(secret)).toBe(true);
        const mistyped = secret.slice(0, place) + letter + secret.slice(place + 1);
        expect(isKeySecret(mistyped)).toBe(mistyped === secret);
      }),
    );
  });
});

const CATALOG = `{ scopeCatalog { scopes { name description isOfModel } presets { name label scopes } } }`;
interface Catalog {
  scopeCatalog: {
    scopes: { name: string; description: string; isOfModel: boolean }[];
    presets: { name: string; scopes: string[] }[];
  };
}

describe('scopes', () => {
  test('that are offered can be given to a key one by one, and so can each preset', async () => {
    const { ctx } = await given.owner();
    const { scopeCatalog } = (await given.run<Catalog>(ctx, CATALOG)).data;
    expect(scopeCatalog.scopes).toHaveLength(v1Scopes.length + v2Scopes.length);
    for (const { name, description } of scopeCatalog.scopes) {
      expect(description).toMatch(/^[A-Z].+\.$/);
      expect((await create(ctx, { scopes: [name] })).data.createApiKey.apiKey.scopes).toEqual([name]);
    }
    for (const { name, scopes } of scopeCatalog.presets) {
      const made = (await create(ctx, { scopes: [name] })).data.createApiKey;
      expect(made.apiKey).toMatchObject({ scopes: [...scopes].sort(), expiresAt: null });
    }
  });

  test('that are offered to a key are those which it has itself', async () => {
    const { ctx } = await given.owner();
    const { apiKey } = await createApiKey(ctx, { name: 'Keys', scopes: ['keys:manage', 'members:read'] });
    const asKey = given.as({
      ...ctx.caller,
      kind: 'KEY',
      role: null,
      actor: `key:${apiKey.id}`,
      scopes: apiKey.scopes,
    });
    const { scopeCatalog } = (await given.run<Catalog>(asKey, CATALOG)).data;
    expect(scopeCatalog.scopes.map(({ name }) => name)).toEqual(['members:read', 'keys:manage']);
    expect(scopeCatalog.presets).toEqual([]);
  });

  test.each([
    ['none at all', [], 'input.scopes'],
    ['an unknown one', ['members:read', 'members:eat'], 'input.scopes[1]'],
    ['a wildcard', ['*'], 'input.scopes[0]'],
    ['a name of the language', ['constructor'], 'input.scopes[0]'],
  ])('%s is refused', async (_, scopes, field) => {
    const { ctx } = await given.owner();
    expect(await create(ctx, { scopes })).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test('the read-only preset stands for every v2 scope that only reads', async () => {
    const { ctx } = await given.owner();
    const { createApiKey: made } = (await create(ctx, { scopes: ['preset:read_only', 'members:read'] })).data;
    expect(made.apiKey.scopes).toEqual(v2Scopes.filter((scope) => scope.endsWith(':read')).sort());
    expect(made.apiKey.expiresAt).toBeNull();
  });

  test('a key grants no scope that it lacks, and none without keys:manage', async () => {
    const { ctx } = await given.owner();
    const manager = await createApiKey(ctx, { name: 'Manager', scopes: ['keys:manage', 'members:read'] });
    const key = await given.contextOf(manager.secret);
    expect((await create(key, {})).errors).toBeUndefined();
    expect(await create(key, { scopes: ['members:write'] })).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'SCOPE_MISSING',
    });
    const reader = await given.contextOf((await create(ctx, {})).data.createApiKey.secret);
    expect(await create(reader, {})).toMatchObject({ code: 'FORBIDDEN', reason: 'SCOPE_MISSING' });
  });

  test('a member of the team makes no keys', async () => {
    const { ctx } = await given.owner();
    const { ctx: member } = await given.colleague(ctx, 'MEMBER');
    expect(await create(member, {})).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' });
  });

  test('of the model API end after 90 days at most', async () => {
    const { ctx } = await given.owner();
    const now = services.clock.now().getTime();
    const { createApiKey: made } = (await create(ctx, { scopes: ['model:bulk:read'] })).data;
    expect(new Date(made.apiKey.expiresAt!).getTime()).toBe(now + 90 * DAY_MS);
    const endingIn = (ms: number) =>
      create(ctx, { scopes: ['model:bulk:read'], expiresAt: new Date(now + ms).toISOString() });
    expect(await endingIn(90 * DAY_MS + 1)).toMatchObject({ field: 'input.expiresAt' });
    expect((await endingIn(90 * DAY_MS)).data.createApiKey.apiKey.expiresAt).toBe(made.apiKey.expiresAt);
  });

  test('end in the future, not at once', async () => {
    const { ctx } = await given.owner();
    const endingIn = (ms: number) =>
      create(ctx, { expiresAt: addMs(services.clock.now(), ms).toISOString() });
    expect(await endingIn(0)).toMatchObject({ field: 'input.expiresAt' });
    expect((await endingIn(1)).data.createApiKey.apiKey.expiresAt).toBe(
      addMs(services.clock.now(), 1).toISOString(),
    );
  });

  test('of the model API are granted by no key, and not over the REST operation', async () => {
    const { ctx } = await given.owner();
    const manager = await createApiKey(ctx, { name: 'Manager', scopes: ['keys:manage', 'decisions:read'] });
    const key = await given.contextOf(manager.secret);
    expect(await create(key, { scopes: ['decisions:read'] })).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'ROLE_REQUIRED',
    });
    const refused = await given.run(ctx, INTEGRATION, {
      name: 'Till',
      scopes: ['members:read', 'decisions:read'],
    });
    expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', field: 'scopes[1]' });
  });
});

describe('modes', () => {
  test('a test key makes and sees test keys only', async () => {
    const { ctx } = await given.owner();
    const live = (await create(ctx, {})).data.createApiKey.apiKey.id;
    const sandbox = await createApiKey(ctx, {
      name: 'Sandbox',
      scopes: ['keys:manage', 'members:read'],
      mode: 'TEST',
    });
    const key = await given.contextOf(sandbox.secret);
    expect(key.caller.mode).toBe('TEST');
    expect(await create(key, { mode: 'LIVE' })).toMatchObject({ code: 'FORBIDDEN', reason: 'LIVE_ONLY' });
    expect((await given.run(key, LIST)).data).toMatchObject({
      apiKeys: { nodes: [{ id: sandbox.apiKey.id }] },
    });
    expect(await given.run(key, REVOKE, { id: live })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await given.run(key, INTEGRATION, { name: 'x', scopes: ['members:read'] })).data).toMatchObject({
      createIntegrationKey: { apiKey: { mode: 'TEST' } },
    });
  });
});

test.each([
  [
    ['members:read', 'orders:read', 'predictions:read'],
    'scopes[2] (predictions:read) is granted in the application only.',
  ],
  [['members:read', 'members:fly'], 'scopes[1] (members:fly) must be a known scope.'],
  [['members:read', 'lk_live_Pasted'], 'scopes[1] must be a known scope.'],
])(
  'a refused scope is named, and what may be a secret is not repeated, case %#',
  async (scopes, sentence) => {
    const { ctx } = await given.owner();
    const { errors } = await given.run(ctx, INTEGRATION, { name: 'till', scopes });
    expect(errors!.map(({ message }) => message)).toEqual([sentence]);
  },
);

test('every refused scope is named', async () => {
  const { ctx } = await given.owner();
  const wanted = ['predictions:read', 'members:fly', 'members:read', 'model:training:write'];
  await expect(createIntegrationKey(ctx, 'till', wanted)).rejects.toMatchObject({
    message:
      'scopes[0] (predictions:read) is granted in the application only. ' +
      'scopes[1] (members:fly) must be a known scope. ' +
      'scopes[3] (model:training:write) is granted in the application only.',
    details: {
      errors: [
        { field: 'scopes[0]', code: 'SCOPE_NOT_GRANTABLE' },
        { field: 'scopes[1]', code: 'SCOPE_UNKNOWN' },
        { field: 'scopes[3]', code: 'SCOPE_NOT_GRANTABLE' },
      ],
    },
  });
  const { createApiKey: made } = (await create(ctx, { scopes: ['members:read', 'keys:manage'] })).data;
  const key = await given.contextOf(made.secret);
  await expect(
    createIntegrationKey(key, 'till', ['orders:read', 'members:read', 'coupons:write']),
  ).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
    message: 'You cannot grant the scopes coupons:write, orders:read, which you do not have.',
  });
});

describe('revoking', () => {
  test('ends a key at once and once, and takes it off the list of others', async () => {
    const { ctx } = await given.owner();
    const { createApiKey: made } = (await create(ctx, {})).data;
    const { id } = made.apiKey;
    expect((await given.run(ctx, REVOKE, { id })).errors).toBeUndefined();
    await expect(given.contextOf(made.secret)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    expect(await given.run(ctx, REVOKE, { id })).toMatchObject({
      code: 'NOT_FOUND',
      reason: 'API_KEY_NOT_FOUND',
    });
    expect((await given.run(ctx, LIST, { isRevoked: false })).data).toMatchObject({
      apiKeys: { totalCount: 0 },
    });
    expect((await given.run(ctx, LIST)).data).toMatchObject({ apiKeys: { totalCount: 1 } });
  });

  test('a key of another workspace is not found', async () => {
    const [{ ctx }, foreign] = [await given.owner(), await given.owner()];
    const { id } = (await create(foreign.ctx, {})).data.createApiKey.apiKey;
    expect(await given.run(ctx, REVOKE, { id })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await given.run(ctx, 'query ($id: ID!) { apiKey(id: $id) { id } }', { id })).data).toEqual({
      apiKey: null,
    });
  });
});

describe('rotating', () => {
  test('gives a key alike, and the old one works for 24 hours more', async () => {
    const { ctx } = await given.owner();
    const former = await createApiKey(ctx, { name: 'Till', scopes: ['stores:read'], mode: 'TEST' });
    const { apiKey, secret } = await rotateApiKey(ctx, former.apiKey.id, false);
    expect(apiKey).toMatchObject({ name: 'Till', scopes: ['stores:read'], mode: 'TEST', expiresAt: null });
    services.clock.advance(DAY_MS - 1);
    expect((await given.contextOf(former.secret)).caller.actor).toBe(`key:${former.apiKey.id}`);
    services.clock.advance(1);
    await expect(given.contextOf(former.secret)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
    expect((await given.contextOf(secret)).caller.actor).toBe(`key:${apiKey.id}`);
  });

  test('never prolongs a key that ends sooner', async () => {
    const { ctx } = await given.owner();
    const expiresAt = addMs(services.clock.now(), HOUR_MS);
    const former = await createApiKey(ctx, { name: 'Till', scopes: ['stores:read'], expiresAt });
    const { apiKey } = await rotateApiKey(ctx, former.apiKey.id, false);
    expect(apiKey.expiresAt).toEqual(expiresAt);
    const [row] = await services.database.sql.query<{ expiresAt: Date }>(
      'SELECT expires_at FROM workspace.api_keys WHERE id = $1',
      [former.apiKey.id],
    );
    expect(row!.expiresAt).toEqual(expiresAt);
    services.clock.advance(HOUR_MS);
    await expect(given.contextOf(former.secret)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });

  test('ends the old one at once when asked to', async () => {
    const { ctx } = await given.owner();
    const former = await createApiKey(ctx, { name: 'Till', scopes: ['stores:read'] });
    await rotateApiKey(ctx, former.apiKey.id, true);
    await expect(given.contextOf(former.secret)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  test('happens once, even for two callers at once', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['stores:read'] });
    const outcomes = await Promise.allSettled([
      rotateApiKey(ctx, apiKey.id, false),
      rotateApiKey(ctx, apiKey.id, false),
    ]);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'API_KEY_ROTATED' },
    });
    const sql = 'SELECT count(*)::int AS n FROM workspace.api_keys WHERE workspace_id = $1';
    expect(await services.database.sql.query(sql, [workspaceId])).toEqual([{ n: 2 }]);
  });
});
