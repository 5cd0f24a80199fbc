import { describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { pruneModelJob } from '../retention.jobs.ts';
import { balanceOf, eventCount, eventsOf, importedMembers } from './data-imports.fixture.ts';
import { confirmDataImport, previewDataImport } from './data-imports.service.ts';

const { services, newContext } = useServices();

/** Creates a workspace with members m1 and m2. */
async function workspace(caller: Partial<Caller> = {}): Promise<Context> {
  const ctx = newContext(caller);
  await importedMembers(ctx);
  return ctx;
}

const nothingWritten = async (ctx: Context): Promise<void> => {
  expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([0, 50_000n]);
};

describe('a token', () => {
  const mismatch = { category: 'CONFLICT', code: 'IMPORT_TOKEN_MISMATCH' };

  test.each([
    ['another kind', { kind: 'ORDERS' }],
    ['another format', { format: 'JSON' }],
    ['another mapping', { mapping: { item_id: 'item_id' } }],
    ['another byte', { content: `${eventsOf(3).content} ` }],
  ] as const)('confirms nothing with %s', async (_, change) => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    const failing = confirmDataImport(ctx, { ...eventsOf(3), ...change }, token);
    await expect(failing).rejects.toMatchObject(mismatch);
    await nothingWritten(ctx);
  });

  test('confirms for whichever key, and the session, of the administrator who asked for it', async () => {
    const ada = { accountId: 'ada' };
    const key = { ...ada, kind: 'KEY', role: null } as const;
    const ctx = await workspace({ ...key, actor: 'key:first' });
    const others = [
      { ...key, actor: 'key:second' },
      { ...ada, kind: 'USER', actor: 'user:ada' },
    ] as const;
    for (const [at, other] of others.entries()) {
      const input = eventsOf(1, `e${at}-`);
      const { token } = await previewDataImport(ctx, input);
      const confirmed = await confirmDataImport(newContext({ ...ctx.caller, ...other }), input, token);
      expect(confirmed).toMatchObject({ inserted: 1, batch: { actor: other.actor } });
    }
  });

  test('confirms nothing for another administrator, in the other mode, or in another workspace', async () => {
    const ctx = await workspace({ accountId: 'ada', actor: 'key:first' });
    const { token } = await previewDataImport(ctx, eventsOf(3));
    const others = [
      newContext({ ...ctx.caller, accountId: 'bo', actor: 'key:other' }),
      newContext({ ...ctx.caller, accountId: 'bo' }),
      newContext({ ...ctx.caller, mode: 'TEST' }),
      newContext({ accountId: 'ada', actor: 'key:first' }),
    ];
    for (const other of others)
      await expect(confirmDataImport(other, eventsOf(3), token)).rejects.toMatchObject(mismatch);
    await nothingWritten(ctx);
  });

  test('that nobody was given confirms nothing', async () => {
    const ctx = await workspace();
    await expect(confirmDataImport(ctx, eventsOf(3), 'x')).rejects.toMatchObject(mismatch);
  });

  test('confirms whatever the order of the mapping', async () => {
    const ctx = await workspace();
    const input = eventsOf(1);
    const { token } = await previewDataImport(ctx, { ...input, mapping: { type: 'type', value: 'value' } });
    const mapping = { value: 'value', type: 'type' };
    expect((await confirmDataImport(ctx, { ...input, mapping }, token)).inserted).toBe(1);
  });

  test('lives 15 minutes, and a day later nothing of it is kept', async () => {
    const clock = services.clock.now().getTime();
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    const after = async (minutes: number) => {
      services.clock.set(new Date(clock + minutes * MINUTE_MS));
      await pruneModelJob.run(ctx, {});
      return confirmDataImport(ctx, eventsOf(3), token).catch(({ code }) => code);
    };
    expect([await after(15), await after(15 + 24 * 60 + 1)]).toEqual([
      'IMPORT_TOKEN_EXPIRED',
      'IMPORT_TOKEN_MISMATCH',
    ]);
    services.clock.set(new Date(clock));
    await nothingWritten(ctx);
  });

  test('is kept as a hash only', async () => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(1));
    const rows = await ctx.sql.query<{ row: string }>(
      'SELECT p::text AS row FROM model.data_import_previews AS p WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(rows).not.toHaveLength(0);
    for (const { row } of rows) expect(row).not.toContain(token);
  });
});
