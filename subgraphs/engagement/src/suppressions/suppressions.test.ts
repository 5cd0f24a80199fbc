import { describe, expect, test } from '@jest/globals';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { rootFieldsWithoutAccess } from '@loyalty/platform/identity/access';
import { askOf, entities } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { engagement } from '../subgraph.ts';
import { findEmailSuppression, unsubscribe } from './suppressions.service.ts';

const { services, newContext } = useServices();

const ask = askOf(engagement);

const fields = 'email isUnsubscribed isSuppressed reasons';
const readDocument = `query ($email: String!) { emailSuppression(email: $email) { ${fields} } }`;
const unsubscribeDocument = `mutation ($email: String!) { unsubscribe(email: $email) { ${fields} } }`;
const memberDocument = entities('... on Member { id suppression { isUnsubscribed reasons since } }');
const free = { isUnsubscribed: false, isSuppressed: false, reasons: [] };
const unsubscribed = { isUnsubscribed: true, isSuppressed: true, reasons: ['UNSUBSCRIBED'] };

async function eventsOf(ctx: Context) {
  return ctx.sql.query<{ type: string; mode: string; payload: { emailIndex: string } }>(
    'SELECT type, mode, payload FROM platform.outbox WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
}

async function indexOf(ctx: Context, address: string): Promise<string> {
  return (await services.keyring.of(ctx.scope.workspaceId)).index(address, EMAIL_INDEX);
}

/** Records a bounce, as a provider's notice does. */
async function bounce(ctx: Context, address: string): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, 'BOUNCED', $5)`,
    [newId(ctx.clock), ctx.scope.workspaceId, ctx.scope.mode, await indexOf(ctx, address), ctx.clock.now()],
  );
}

/** The member reference that the gateway sends after the loyalty subgraph has resolved the blind index. */
const memberOf = async (ctx: Context, address: string) => ({
  __typename: 'Member',
  id: newId(ctx.clock),
  emailIndex: await indexOf(ctx, address),
});

test('every root field says who may call it, and none re-subscribes', () => {
  expect(rootFieldsWithoutAccess(engagement.schema)).toEqual([]);
  const mutations = Object.keys(engagement.schema.getMutationType()!.getFields());
  const ofMail = mutations.filter((name) => /subscri|suppress/i.test(name) && !name.endsWith('WebPush'));
  expect(ofMail.toSorted()).toEqual(['removeBounceSuppression', 'unsubscribe', 'unsubscribeByToken']);
});

describe('an address', () => {
  test('that nobody knows may be mailed', async () => {
    const { data } = await ask(newContext(), readDocument, { email: 'ada@example.com' });
    expect(data.emailSuppression).toEqual({ email: 'ada@example.com', ...free });
  });

  test('is suppressed by unsubscribing, though no member has it', async () => {
    const ctx = newContext();
    const answer = await ask(ctx, unsubscribeDocument, { email: 'ada@example.com' });
    expect(answer.data.unsubscribe).toEqual({ email: 'ada@example.com', ...unsubscribed });
    expect((await ask(ctx, readDocument, { email: 'ada@example.com' })).data.emailSuppression).toMatchObject(
      unsubscribed,
    );
  });

  test('is one address in any case and with spaces around it', async () => {
    const spelled = fc.tuple(
      fc.array(fc.boolean(), { minLength: 15, maxLength: 15 }),
      fc.constantFrom('', ' ', '\t', '\n', '  '),
      fc.constantFrom('', ' ', '\r\n'),
    );
    const ctx = newContext();
    await fc.assert(
      fc.asyncProperty(spelled, async ([upper, before, after]) => {
        const address = [...'ada@example.com']
          .map((letter, at) => (upper[at] ? letter.toUpperCase() : letter))
          .join('');
        expect(await unsubscribe(ctx, `${before}${address}${after}`)).toMatchObject({
          email: 'ada@example.com',
        });
      }),
      { numRuns: 50 },
    );
    expect(await eventsOf(ctx)).toHaveLength(1);
  });

  test('that bounced is suppressed without being unsubscribed, and may be both', async () => {
    const ctx = newContext();
    await bounce(ctx, 'ada@example.com');
    expect(await findEmailSuppression(ctx, 'ada@example.com')).toMatchObject({
      isUnsubscribed: false,
      isSuppressed: true,
      reasons: ['BOUNCED'],
    });
    expect(await unsubscribe(ctx, 'ada@example.com')).toMatchObject({
      isUnsubscribed: true,
      isSuppressed: true,
    });
    expect((await findEmailSuppression(ctx, 'ada@example.com')).reasons.toSorted()).toEqual([
      'BOUNCED',
      'UNSUBSCRIBED',
    ]);
  });

  test.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    `${'x'.repeat(250)}@example.com`,
  ])('%j is refused by a sentence that names it', async (email) => {
    const message = 'email must be an e-mail address such as ada@example.com.';
    expect(await ask(newContext(), unsubscribeDocument, { email })).toMatchObject({
      code: 'BAD_USER_INPUT',
      message,
    });
  });

  test('is kept as a keyed hash only, in rows, events and the audit log', async () => {
    const ctx = newContext();
    await unsubscribe(ctx, 'secret.person@example.com');
    const stored = await ctx.sql.query<{ row: string }>(
      `SELECT t::text AS row FROM engagement.suppressions t WHERE workspace_id = $1
       UNION ALL SELECT t::text FROM platform.outbox t WHERE workspace_id = $1
       UNION ALL SELECT t::text FROM platform.audit_entries t WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    expect(stored).toHaveLength(3);
    for (const { row } of stored) expect(row).not.toMatch(/secret|person|example/);
  });

  test('stays unsubscribed after the workspace changes its index key, and is published once', async () => {
    const ctx = newContext();
    await unsubscribe(ctx, 'ada@example.com');
    const before = await indexOf(ctx, 'ada@example.com');
    await services.keyring.rotateKey(ctx.scope.workspaceId, 'INDEX');
    // A new key is used only when every process has had time to load it.
    await ctx.sql.query(
      `UPDATE platform.workspace_keys SET created_at = created_at - interval '1 hour' WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    services.keyring.forget(ctx.scope.workspaceId);
    expect(await indexOf(ctx, 'ada@example.com')).not.toBe(before);
    expect(await findEmailSuppression(ctx, 'ada@example.com')).toMatchObject(unsubscribed);
    await unsubscribe(ctx, 'ada@example.com');
    expect(await eventsOf(ctx)).toHaveLength(1);
  });
});

describe('unsubscribing', () => {
  test('publishes engagement.address_suppressed with the blind index, the first time only', async () => {
    const ctx = newContext();
    for (let time = 0; time < 3; time += 1) await unsubscribe(ctx, 'ada@example.com');
    const payload = { emailIndex: await indexOf(ctx, 'ada@example.com') };
    expect(await eventsOf(ctx)).toEqual([{ type: 'engagement.address_suppressed', mode: 'LIVE', payload }]);
  });

  test('thirty times at once answers all alike and publishes once', async () => {
    const ctx = newContext();
    const answers = await Promise.all(Array.from({ length: 30 }, () => unsubscribe(ctx, 'ada@example.com')));
    for (const answer of answers) expect(answer).toMatchObject(unsubscribed);
    expect(await eventsOf(ctx)).toHaveLength(1);
  });

  test('leaves nothing when its transaction fails', async () => {
    const ctx = newContext();
    const failing = ctx.transaction(async (tx) => {
      await unsubscribe(tx, 'ada@example.com');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await findEmailSuppression(ctx, 'ada@example.com')).toMatchObject(free);
    expect(await eventsOf(ctx)).toEqual([]);
  });
});

describe('isolation', () => {
  test('what one workspace suppressed another may mail', async () => {
    const [one, other] = [newContext(), newContext()];
    await unsubscribe(one, 'ada@example.com');
    expect(await findEmailSuppression(other, 'ada@example.com')).toMatchObject(free);
    const references = [
      { __typename: 'Member', id: newId(one.clock), emailIndex: await indexOf(one, 'ada@example.com') },
    ];
    expect(
      (await ask(other, memberDocument, { references })).data._entities[0].suppression.isUnsubscribed,
    ).toBe(false);
  });

  test('what test mode suppressed live may mail, and the other way round', async () => {
    const live = newContext();
    const testMode = newContext({ workspaceId: live.scope.workspaceId, mode: 'TEST' });
    await unsubscribe(testMode, 'ada@example.com');
    await unsubscribe(live, 'eve@example.com');
    expect(await findEmailSuppression(live, 'ada@example.com')).toMatchObject(free);
    expect(await findEmailSuppression(testMode, 'eve@example.com')).toMatchObject(free);
    expect((await eventsOf(live)).map(({ mode }) => mode).toSorted()).toEqual(['LIVE', 'TEST']);
  });

  test.each([
    ['a key that only reads members', { kind: 'KEY', scopes: ['members:read'] }, undefined, 'SCOPE_MISSING'],
    [
      'a key that only writes members',
      { kind: 'KEY', scopes: ['members:write'] },
      'SCOPE_MISSING',
      undefined,
    ],
    ['a member', { kind: 'MEMBER', scopes: ['*'] }, 'CALLER_REFUSED', 'CALLER_REFUSED'],
    [
      'nobody',
      { kind: 'ANONYMOUS', workspaceId: null, scopes: [] },
      'CREDENTIAL_MISSING',
      'CREDENTIAL_MISSING',
    ],
  ] as const)('%s is let through only where its scopes reach', async (_, caller, reading, writing) => {
    const ctx = newContext(caller);
    expect((await ask(ctx, readDocument, { email: 'ada@example.com' })).reason).toBe(reading);
    expect((await ask(ctx, unsubscribeDocument, { email: 'ada@example.com' })).reason).toBe(writing);
  });
});

describe('a member', () => {
  test('shows why and since when the address must not be mailed', async () => {
    const ctx = newContext();
    await bounce(ctx, 'ada@example.com');
    services.clock.advance(60_000);
    await unsubscribe(ctx, 'ada@example.com');
    const { data } = await ask(ctx, memberDocument, { references: [await memberOf(ctx, 'ada@example.com')] });
    expect(data._entities[0].suppression).toEqual({
      isUnsubscribed: true,
      reasons: ['BOUNCED', 'UNSUBSCRIBED'],
      since: '2026-03-02T10:00:00.000Z',
    });
  });

  test('who is not suppressed says so, and one without an address has nothing to say', async () => {
    const ctx = newContext();
    const references = [
      await memberOf(ctx, 'ada@example.com'),
      { __typename: 'Member', id: newId(ctx.clock), emailIndex: null },
    ];
    const { data } = await ask(ctx, memberDocument, { references });
    expect(data._entities).toMatchObject([
      { suppression: { isUnsubscribed: false, reasons: [], since: null } },
      { suppression: null },
    ]);
  });

  test('needs no scope of its own to be asked', async () => {
    const ctx = newContext({ kind: 'MEMBER', scopes: [] });
    const { data } = await ask(ctx, memberDocument, { references: [await memberOf(ctx, 'ada@example.com')] });
    expect(data._entities[0].suppression.isUnsubscribed).toBe(false);
  });

  test('costs as many statements as fifty members do', async () => {
    const ctx = newContext();
    await unsubscribe(ctx, 'member7@example.com');
    const members = await Promise.all(
      Array.from({ length: 50 }, (_, number) => memberOf(ctx, `member${number}@example.com`)),
    );
    services.statements.length = 0;
    const { data } = await ask(ctx, memberDocument, { references: members });
    expect(services.statements).toHaveLength(1);
    const flags = data._entities.map(
      (member: { suppression: { isUnsubscribed: boolean } }) => member.suppression.isUnsubscribed,
    );
    expect(flags.indexOf(true)).toBe(7);
    expect(flags.filter(Boolean)).toHaveLength(1);
  });
});
