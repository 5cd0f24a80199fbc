import { describe, expect, test } from '@jest/globals';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { defaultLimits } from '../base/caller.ts';
import type { Context } from '../context.ts';
import { countInWindow, guardValue, guardWindow, guardWrite } from './write-guard.ts';

const { services } = useServices();

function newContext(limits: Partial<typeof defaultLimits> = {}): Context {
  return contextOf(services, { ...callerOf(), limits: { ...defaultLimits, ...limits } });
}

async function usedBy(ctx: Context): Promise<number> {
  const [row] = await ctx.sql.query<{ used: number }>(
    'SELECT coalesce(sum(used), 0)::int AS used FROM platform.write_guards WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  return row!.used;
}

describe('guarded writes', () => {
  test('pass up to the limit of the minute, then wait for the rest of it', async () => {
    services.clock.set('2026-03-02T10:00:42.500Z');
    const ctx = newContext({ valueWritesPerMinute: 2 });
    await guardWrite(ctx, 'value');
    await guardWrite(ctx, 'value');
    const refusal = { category: 'RATE_LIMITED', code: 'RATE_LIMITED', details: { retryAfterSeconds: 18 } };
    await expect(guardWrite(ctx, 'value')).rejects.toMatchObject(refusal);
    services.clock.advance(17_500);
    await guardWrite(ctx, 'value');
  });

  test('that come all at once pass exactly as often as the limit says', async () => {
    const ctx = newContext({ recordWritesPerMinute: 20 });
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => guardWrite(ctx, 'record')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });

  test('of values and of records, of two actors and of two workspaces are counted apart', async () => {
    const one = newContext({ valueWritesPerMinute: 1, recordWritesPerMinute: 1 });
    await guardWrite(one, 'value');
    await guardWrite(one, 'record');
    await guardWrite(one.as({ ...one.caller, actor: 'key:other' }), 'value');
    await guardWrite(one.as({ ...one.caller, workspaceId: callerOf().workspaceId }), 'value');
    await expect(guardWrite(one, 'value')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('that come at once are counted apart all the same, and so are those of two minutes', async () => {
    const one = newContext({ valueWritesPerMinute: 1, recordWritesPerMinute: 1 });
    const actor = one.as({ ...one.caller, actor: 'key:other' });
    const workspace = one.as({ ...one.caller, workspaceId: callerOf().workspaceId });
    const first = [one, actor, workspace].map((ctx) => guardWrite(ctx, 'value'));
    const records = guardWrite(one, 'record');
    services.clock.advance(60_000);
    await Promise.all([...first, records, guardWrite(one, 'value')]);
    await expect(guardWrite(one, 'value')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('of more transactions at once than the pool has connections all get through', async () => {
    const ctx = newContext();
    await Promise.all(Array.from({ length: 40 }, () => ctx.transaction((tx) => guardWrite(tx, 'value'))));
    expect(await usedBy(ctx)).toBe(40);
  });

  test('at once are counted by few statements, each of them once and in the order of their arrival', async () => {
    const ctx = newContext({ valueWritesPerMinute: 150 });
    const countings = () =>
      services.statements.filter((text) => text.includes('platform.write_guards')).length;
    services.statements.length = 0;
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => guardWrite(ctx, 'value')));
    expect(countings()).toBe(2);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 150 }, () => 'fulfilled'),
      ...Array.from({ length: 50 }, () => 'rejected'),
    ]);
    expect(await usedBy(ctx)).toBe(200);
  });

  test('count although the change that they guard is not kept', async () => {
    const ctx = newContext();
    const failing = ctx.transaction(async (tx) => {
      await guardWrite(tx, 'value');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await usedBy(ctx)).toBe(1);
  });

  test('are refused with 503 while the database cannot count', async () => {
    const ctx = newContext();
    await ctx.sql.query('ALTER TABLE platform.write_guards RENAME TO away');
    try {
      const refusal = {
        category: 'UNAVAILABLE',
        code: 'GUARD_UNAVAILABLE',
        details: { retryAfterSeconds: 1 },
      };
      await expect(guardWrite(ctx, 'value')).rejects.toMatchObject(refusal);
    } finally {
      await ctx.sql.query('ALTER TABLE platform.away RENAME TO write_guards');
    }
    await guardWrite(ctx, 'value');
  });

  test('are refused with 409 while somebody holds the count, and nothing is counted', async () => {
    const ctx = newContext();
    await guardWrite(ctx, 'value');
    await services.database.transaction(async ({ sql }) => {
      await sql.query('SELECT FROM platform.write_guards WHERE workspace_id = $1 FOR UPDATE', [
        ctx.scope.workspaceId,
      ]);
      await expect(guardWrite(ctx, 'value')).rejects.toMatchObject({
        category: 'CONFLICT',
        code: 'ROW_BUSY',
        details: { retryAfterSeconds: 1 },
      });
    });
    expect(await usedBy(ctx)).toBe(1);
  });
});

test('a window of any length counts any subject, such as sign-ins of one address', async () => {
  services.clock.set('2026-03-02T10:00:00.000Z');
  const ctx = newContext();
  const window = {
    workspaceId: ctx.scope.workspaceId,
    subject: 'hash',
    guard: 'login',
    windowMs: 900_000,
    limit: 1,
  };
  await guardWindow(ctx, window);
  await expect(guardWindow(ctx, window)).rejects.toMatchObject({ details: { retryAfterSeconds: 900 } });
});

test('several acts at once take what is left of their window, whoever asks first', async () => {
  const ctx = newContext();
  const window = {
    workspaceId: ctx.scope.workspaceId,
    subject: 'key:1',
    guard: 'batch',
    windowMs: 60_000,
    limit: 10,
  };
  expect(await countInWindow(ctx, window, 4)).toBe(4);
  expect(await countInWindow(ctx, window, 8)).toBe(6);
  expect(await countInWindow(ctx, window, 3)).toBe(0);
  const asked = { ...window, subject: 'key:2' };
  const passed = await Promise.all(Array.from({ length: 9 }, () => countInWindow(ctx, asked, 3)));
  expect(passed.reduce((sum, count) => sum + count, 0)).toBe(10);
});

describe('the value cap', () => {
  test.each([100, -100, 0])('lets %i of 100 pass', (amount) => {
    expect(() => guardValue(newContext({ valueCap: 100 }), 'input.amount', amount)).not.toThrow();
  });

  test.each([101, -101])('refuses %i of 100, whichever way it moves', (amount) => {
    const refusal = {
      category: 'BAD_USER_INPUT',
      code: 'AMOUNT_OVER_CAP',
      details: { field: 'input.amount', rule: 'AT_MOST', values: { max: 100 } },
    };
    expect(() => guardValue(newContext({ valueCap: 100 }), 'input.amount', amount)).toThrow(
      expect.objectContaining(refusal) as never,
    );
  });
});
