import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { actorId } from '@loyalty/platform/base/caller';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Access } from '@loyalty/platform/identity/access';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import { refusal } from '@loyalty/platform/identity/refusal';
import { MEMBER_SESSION_SECONDS, signSession, verifySession } from '@loyalty/platform/identity/session-token';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { removeTeamMember, setTeamRole } from '../team/memberships.service.ts';
import { createGiven } from '../workspace.fixture.ts';
import { updateLimits } from '../workspaces/workspaces.service.ts';
import { createApiKey, revokeApiKey, rotateApiKey } from './api-keys.service.ts';
import { resolveCaller } from './callers.service.ts';
import { newKeySecret } from './key-secret.ts';

const { services } = useServices();
const given = createGiven(services);

const CALLER = `query ($credential: String!, $mode: String, $workspaceId: ID) {
  _caller(credential: $credential, mode: $mode, workspaceId: $workspaceId) }`;

const READ: Access = { scopes: [], role: null, module: null, callers: ['key', 'user'], liveOnly: false };

const statementsOf = async (work: () => Promise<unknown>) => {
  services.statements.length = 0;
  await work();
  return services.statements.length;
};

/** Returns a signed token whose session is not stored. */
async function memberToken(workspaceId: string, more: { subject?: string; sessionId?: string } = {}) {
  const about = { audience: 'member', workspaceId, mode: 'TEST', version: 1 } as const;
  const claims = { ...about, subject: randomUUID(), sessionId: randomUUID(), ...more };
  const { masterKeys } = services.config;
  const authenticatedAt = services.clock.now();
  return (
    await signSession(masterKeys, { ...claims, authenticatedAt }, MEMBER_SESSION_SECONDS, services.clock)
  ).token;
}

describe('an API key', () => {
  test('is its workspace, its own mode and its scopes', async () => {
    const { ctx, id, workspaceId } = await given.owner();
    await updateLimits(ctx, { valueCap: 5 });
    const { apiKey, secret } = await createApiKey(ctx, {
      name: 'Till',
      scopes: ['members:read'],
      mode: 'TEST',
    });
    const { data } = await given.run(given.system(), CALLER, { credential: secret, mode: 'LIVE' });
    expect(data).toEqual({
      _caller: {
        caller: {
          kind: 'KEY',
          workspaceId,
          mode: 'TEST',
          actor: `key:${apiKey.id}`,
          role: null,
          accountId: id,
          scopes: ['members:read'],
          modules: [],
          limits: {
            valueCap: 5,
            requestsPerMinute: 6_000,
            modelRequestsPerMinute: 300,
            valueWritesPerMinute: 1_200,
            recordWritesPerMinute: 1_200,
          },
        },
        expiresAt: null,
      },
    });
  });

  test('is found in one statement, a mistyped one refused without any', async () => {
    const { ctx } = await given.owner();
    const { secret } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    expect(await statementsOf(() => given.contextOf(secret))).toBe(1);
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
    const refused = () =>
      expect(given.contextOf(mistyped)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
    expect(await statementsOf(refused)).toBe(0);
  });

  test('that nobody made, that was revoked, or that is of another workspace is refused', async () => {
    const { ctx } = await given.owner();
    const { workspaceId } = await given.owner();
    const { apiKey, secret } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const invalid = { category: 'UNAUTHENTICATED', code: 'CREDENTIAL_INVALID' };
    await expect(given.contextOf(newKeySecret('LIVE', 'SECRET'))).rejects.toMatchObject(invalid);
    await expect(given.contextOf(secret, { workspaceId })).rejects.toMatchObject(invalid);
    await revokeApiKey(ctx, apiKey.id);
    await expect(given.contextOf(secret)).rejects.toMatchObject(invalid);
  });

  test('that expired is told apart', async () => {
    const { ctx } = await given.owner();
    const { secret } = await createApiKey(ctx, { name: 'Model', scopes: ['predictions:read'] });
    const { expiresAt } = await resolveCaller(given.system(), { credential: secret });
    expect(expiresAt).toBe(new Date(services.clock.now().getTime() + 90 * DAY_MS).toISOString());
    services.clock.advance(90 * DAY_MS);
    await expect(given.contextOf(secret)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });

  test('loses the scopes of the model API and of keys with the role of its maker, and no others', async () => {
    const { ctx } = await given.owner();
    const predictions = { ...READ, scopes: [['predictions:read']] };
    const keys = { ...READ, scopes: [['keys:manage']] };
    for (const end of [removeTeamMember, (c: typeof ctx, id: string) => setTeamRole(c, id, 'MEMBER')]) {
      const admin = await given.colleague(ctx, 'ADMIN');
      const scopes = ['keys:manage', 'members:read', 'predictions:read'];
      const { secret } = await createApiKey(admin.ctx, { name: 'Model', scopes });
      expect(refusal((await given.contextOf(secret)).caller, predictions)).toBeNull();
      await end(ctx, admin.id);
      const { caller } = await given.contextOf(secret);
      expect(caller.scopes).toEqual(['members:read']);
      expect(refusal(caller, predictions)).toMatchObject({
        category: 'FORBIDDEN',
        code: 'SCOPE_MISSING',
        message: expect.stringContaining('this key lost'),
      });
      expect(refusal(caller, keys)?.message).toContain('this key lost');
      expect(refusal(caller, { ...READ, scopes: [['segments:read']] })?.message).not.toContain('lost');
    }
  });

  test('that a key made has the rights of the person behind it, and loses them with that person', async () => {
    const { ctx } = await given.owner();
    const admin = await given.colleague(ctx, 'ADMIN');
    const scopes = ['keys:manage', 'members:read'];
    let maker = admin.ctx;
    for (let generation = 0; generation < 3; generation += 1) {
      const { secret } = await createApiKey(maker, { name: `Generation ${generation}`, scopes });
      maker = await given.contextOf(secret);
      expect(maker.caller.scopes).toEqual(scopes);
      if (generation === 1)
        maker = await given.contextOf((await rotateApiKey(maker, actorId(maker.caller)!, false)).secret);
    }
    const last = await createApiKey(maker, { name: 'Last', scopes });
    await removeTeamMember(ctx, admin.id);
    expect((await given.contextOf(last.secret)).caller).toMatchObject({
      scopes: ['members:read'],
      lostScopes: ['keys:manage'],
    });
  });

  test('has the scopes of the model API again when its maker is an admin again', async () => {
    const { ctx } = await given.owner();
    const admin = await given.colleague(ctx, 'ADMIN');
    const { secret } = await createApiKey(admin.ctx, { name: 'Model', scopes: ['model:bulk:read'] });
    await setTeamRole(ctx, admin.id, 'MEMBER');
    expect((await given.contextOf(secret)).caller.scopes).toEqual([]);
    await setTeamRole(ctx, admin.id, 'ADMIN');
    expect((await given.contextOf(secret)).caller).toMatchObject({ scopes: ['model:bulk:read'] });
  });

  test('is looked up anew, by every gateway, when the role of its maker changes or ends', async () => {
    const { ctx, workspaceId } = await given.owner();
    const admin = await given.colleague(ctx, 'ADMIN');
    const heard: string[] = [];
    const off = services.live.subscribe(CREDENTIALS_CHANNEL, (subject) => heard.push(subject));
    await setTeamRole(ctx, admin.id, 'MEMBER');
    await eventually(() => expect(heard).toContain(`workspace:${workspaceId}`));
    heard.length = 0;
    await removeTeamMember(ctx, admin.id);
    await eventually(() => expect(heard).toContain(`workspace:${workspaceId}`));
    off();
  });
});

describe("a user's session", () => {
  test('is the role of today in one statement, in the mode asked for', async () => {
    const { ctx } = await given.owner();
    const { token, id } = await given.colleague(ctx, 'MEMBER');
    expect(await statementsOf(() => given.contextOf(token))).toBe(1);
    const { caller } = await given.contextOf(token, { mode: 'TEST' });
    expect(caller).toMatchObject({ kind: 'USER', mode: 'TEST', actor: `user:${id}`, role: 'MEMBER' });
    expect(caller.scopes).toEqual(
      expect.arrayContaining(['members:read', 'members:write', 'points:write', 'coupons:write']),
    );
    expect(caller.scopes).not.toEqual(expect.arrayContaining(['keys:manage']));
  });

  test('works in every workspace of the person, and in no other', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { token } = await given.colleague(ctx, 'MEMBER');
    const stranger = await given.owner();
    expect((await given.contextOf(token, { workspaceId })).caller.role).toBe('MEMBER');
    const attempt = given.contextOf(token, { workspaceId: stranger.workspaceId });
    await expect(attempt).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });

  test('ends after an hour', async () => {
    const { token } = await given.owner();
    services.clock.advance(HOUR_MS);
    await expect(given.contextOf(token)).rejects.toMatchObject({ code: 'CREDENTIAL_EXPIRED' });
  });
});

test("a member's session acts in its own workspace and mode, with no scopes", async () => {
  const { ctx, workspaceId } = await given.owner();
  const { id: subject, token } = await given.member(ctx, 'TEST');
  const { caller } = await given.contextOf(token, { mode: 'LIVE' });
  expect(caller).toMatchObject({
    kind: 'MEMBER',
    workspaceId,
    mode: 'TEST',
    actor: `member:${subject}`,
    scopes: [],
  });
});

test("a member's token without a session that is kept, or of another's, is refused", async () => {
  const { ctx, workspaceId } = await given.owner();
  const { token } = await given.member(ctx, 'TEST');
  const { sessionId } = await verifySession(services.config.masterKeys, token, services.clock);
  const refusedOf = (bad: string) =>
    expect(given.contextOf(bad)).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  await refusedOf(await memberToken(workspaceId));
  await refusedOf(await memberToken(workspaceId, { sessionId: randomUUID() }));
  await refusedOf(await memberToken(workspaceId, { sessionId: sessionId! }));
  const elsewhere = (await given.owner()).workspaceId;
  await expect(given.contextOf(token, { workspaceId: elsewhere })).rejects.toMatchObject({
    code: 'CREDENTIAL_INVALID',
  });
});

test('what is no credential at all is refused', async () => {
  for (const credential of ['', 'lk_', 'nonsense', randomBytes(3_000).toString('base64')]) {
    await expect(given.contextOf(credential)).rejects.toMatchObject({ category: 'UNAUTHENTICATED' });
  }
});

test('nobody but the product itself looks callers up or records calls', async () => {
  const { ctx, token } = await given.owner();
  for (const caller of [ctx, given.nobody()]) {
    expect((await given.run(caller, CALLER, { credential: token })).code).toMatch(
      /FORBIDDEN|UNAUTHENTICATED/,
    );
    expect((await given.run(caller, 'mutation { _recordCalls(calls: []) }')).code).toMatch(
      /FORBIDDEN|UNAUTHENTICATED/,
    );
  }
});
