import { beforeEach, describe, expect, test } from '@jest/globals';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { Caller } from '../base/caller.ts';
import { DAY_MS } from '../base/clock.ts';
import { conflict } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import { audit } from './audit.ts';
import { forgetAnswersAbout, once } from './idempotency.ts';

const { services, newContext } = useServices();

let caller: Caller;
beforeEach(() => {
  caller = callerOf();
});

const withKey = (key: string | null = 'key-1', as: Caller = caller) => contextOf(services, as, key);

/** Inserts one row and returns an answer with every kind of value. */
async function work(ctx: Context) {
  await audit(ctx, { action: 'write', resourceType: 'Test', resourceId: 'x' });
  return {
    at: new Date('2026-03-02T10:00:00.123Z'),
    credits: 9_007_199_254_740_993n,
    none: null,
    list: [{ on: '2026-03-02' }],
  };
}

const run = (ctx: Context = withKey(), args: unknown = { amount: 1 }) => once(ctx, 'award', args, work);

async function writes(as: Caller = caller): Promise<number> {
  const [row] = await services.database.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM platform.audit_entries WHERE workspace_id = $1',
    [as.workspaceId],
  );
  return row!.count;
}

describe('an Idempotency-Key', () => {
  test('sent again replays the first answer, dates and large numbers included, and writes nothing', async () => {
    const first = await run();
    expect(await run()).toEqual(first);
    expect(await writes()).toBe(1);
  });

  test('sent without one writes every time', async () => {
    await run(withKey(null));
    await run(withKey(null));
    expect(await writes()).toBe(2);
  });

  test('sent with other arguments, or for another operation, is a conflict (409)', async () => {
    await run();
    const refusal = { category: 'CONFLICT', code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(run(withKey(), { amount: 2 })).rejects.toMatchObject(refusal);
    await expect(once(withKey(), 'redeem', { amount: 1 }, work)).rejects.toMatchObject(refusal);
    expect(await writes()).toBe(1);
  });

  test('sent twice at once writes once and answers both alike', async () => {
    const [first, second] = await Promise.all([run(), run()]);
    expect(second).toEqual(first);
    expect(await writes()).toBe(1);
  });

  test('whose first call is still running is a conflict (409) with Retry-After', async () => {
    const finish = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const first = once(withKey(), 'award', {}, async (tx) => {
      started.resolve();
      await finish.promise;
      return work(tx);
    });
    await started.promise;
    const refusal = {
      category: 'CONFLICT',
      code: 'IDEMPOTENCY_KEY_IN_FLIGHT',
      details: { retryAfterSeconds: 1 },
    };
    await expect(once(withKey(), 'award', {}, work)).rejects.toMatchObject(refusal);
    finish.resolve();
    expect(await once(withKey(), 'award', {}, work)).toEqual(await first);
    expect(await writes()).toBe(1);
  });

  test('is kept 24 hours and free afterwards, also for another call', async () => {
    services.clock.set('2026-03-02T10:00:00.000Z');
    await run();
    services.clock.advance(DAY_MS - 1);
    await run();
    expect(await writes()).toBe(1);
    services.clock.advance(1);
    await run(withKey(), { amount: 2 });
    expect(await writes()).toBe(2);
    await expect(run()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('of a call that failed is free again, and what it wrote is gone', async () => {
    const failing = once(withKey(), 'award', {}, async (tx) => {
      await work(tx);
      throw conflict('INSUFFICIENT_POINTS', 'Too few points.');
    });
    await expect(failing).rejects.toMatchObject({ code: 'INSUFFICIENT_POINTS' });
    expect(await writes()).toBe(0);
    await run(withKey(), { amount: 2 });
    expect(await writes()).toBe(1);
  });

  test('of one actor or workspace is nothing to another', async () => {
    const other = { ...caller, actor: 'key:other' };
    const stranger = callerOf();
    for (const as of [caller, other, stranger]) await run(withKey('key-1', as), { as: as.actor });
    expect([await writes(), await writes(stranger)]).toEqual([2, 1]);
  });

  test('of the sandbox is nothing to a live call of the same credential', async () => {
    const test = { ...caller, mode: 'TEST' as const };
    await once(withKey('key-1', test), 'award', {}, async () => 'of the sandbox');
    expect(await once(withKey(), 'award', {}, async () => 'live')).toBe('live');
    expect(await once(withKey('key-1', test), 'award', {}, work)).toBe('of the sandbox');
    await once(withKey('key-2', test), 'award', { amount: 1 }, work);
    await expect(once(withKey('key-2', test), 'award', { amount: 2 }, work)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('has a fingerprint that says nothing without the key of the workspace', async () => {
    const stranger = callerOf();
    for (const as of [caller, stranger]) await once(withKey('key-1', as), 'award', { amount: 1 }, work);
    const rows = await services.database.sql.query<{ fingerprint: string }>(
      'SELECT fingerprint FROM platform.idempotency_keys WHERE workspace_id = ANY($1)',
      [[caller.workspaceId, stranger.workspaceId]],
    );
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });

  test('loses its answer with somebody whom it names, and stays used (410)', async () => {
    const [ada, bo] = [newId(services.clock), newId(services.clock)];
    const about = { nodes: [{ member: { id: ada } }], email: 'ada@example.com' };
    await once(withKey('key-1'), 'award', {}, async () => about);
    await once(withKey('key-2'), 'award', { input: [{ memberId: ada }] }, work);
    await once(withKey('key-3'), 'award', { memberId: bo }, async () => new Map([['bo', bo]]));
    const { workspaceId, mode } = withKey().scope;
    await forgetAnswersAbout(newContext(), [{ workspaceId, mode, id: ada }]);
    const kept = await services.database.sql.query(
      `SELECT key, answer IS NULL AS is_erased, $2 = ANY(about) AS is_named FROM platform.idempotency_keys
        WHERE workspace_id = $1 ORDER BY key`,
      [workspaceId, ada],
    );
    expect(kept).toEqual([
      { key: 'key-1', isErased: true, isNamed: false },
      { key: 'key-2', isErased: true, isNamed: false },
      { key: 'key-3', isErased: false, isNamed: false },
    ]);
    await expect(once(withKey('key-1'), 'award', {}, work)).rejects.toMatchObject({
      category: 'GONE',
      code: 'IDEMPOTENCY_ANSWER_ERASED',
    });
    await expect(once(withKey('key-1'), 'award', { amount: 2 }, work)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  test('tells calls apart by numbers beyond 53 bits', async () => {
    await run(withKey(), { amountMinor: 9_007_199_254_740_993n });
    await run(withKey(), { amountMinor: 9_007_199_254_740_993n });
    await expect(run(withKey(), { amountMinor: 9_007_199_254_740_992n })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await writes()).toBe(1);
  });

  test('of more than 255 characters is refused', async () => {
    await run(withKey('k'.repeat(255)));
    await expect(run(withKey('k'.repeat(256)))).rejects.toMatchObject({ category: 'BAD_USER_INPUT' });
  });

  test('keeps its answer sealed', async () => {
    await once(withKey(), 'award', {}, async () => ({ email: 'ada@example.com' }));
    const [kept] = await services.database.sql.query<{ answer: Buffer }>(
      'SELECT answer FROM platform.idempotency_keys WHERE workspace_id = $1',
      [caller.workspaceId],
    );
    expect(kept!.answer.toString('latin1')).not.toContain('ada@example');
    expect(Buffer.from(kept!.answer.toString('latin1'), 'base64').toString('latin1')).not.toContain(
      'ada@example',
    );
  });
});
