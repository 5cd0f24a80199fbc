import { describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { ask as askSubgraph } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { reserveCredits, settleReservation } from '../credits/reservations.service.ts';
import { model } from '../subgraph.ts';
import {
  balanceOf,
  csv,
  eventCount,
  eventHeader,
  eventsOf,
  imported,
  importedMembers,
  memberHeader,
} from './data-imports.fixture.ts';
import { confirmDataImport, getDataImports, previewDataImport } from './data-imports.service.ts';

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

describe('confirming', () => {
  test('writes the file, charges a credit for each new event and publishes one event', async () => {
    const ctx = await workspace();
    await imported(ctx, eventsOf(2));
    const { batch, inserted, skipped, mappings } = await imported(ctx, eventsOf(5));
    expect(batch).toMatchObject({ kind: 'EVENTS', inserted: 3, skipped: 2, charged: 3 });
    expect([inserted, skipped, Object.keys(mappings)]).toEqual([3, 2, ['m1']]);
    expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([5, 49_995n]);
    const published = await ctx.sql.query<{ payload: unknown }>(
      `SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = 'data.imported' ORDER BY id DESC`,
      [ctx.scope.workspaceId],
    );
    expect(published).toHaveLength(3);
    expect(published[0]!.payload).toEqual({ batchId: batch.id, kind: 'EVENTS', inserted: 3, skipped: 2 });
  });

  test('of orders is free', async () => {
    const ctx = await workspace();
    const header = 'external_id,member_id,occurred_at,amount,currency,status';
    const { batch } = await imported(ctx, csv('ORDERS', header, 'o1,m1,2026-02-01,29.33,EUR,paid'));
    expect([batch.charged, await balanceOf(ctx)]).toEqual([0, 50_000n]);
  });

  test('in test mode is free and writes test rows', async () => {
    const ctx = await workspace({ mode: 'TEST' });
    const { batch } = await imported(ctx, eventsOf(4));
    expect([batch.charged, await eventCount(ctx), await balanceOf(ctx)]).toEqual([0, 4, 50_000n]);
    const live = newContext({ workspaceId: ctx.scope.workspaceId });
    expect([await eventCount(live), (await getDataImports(live)).counts.members]).toEqual([0, 0]);
  });

  test('again answers what the first call did and charges nothing, also after the token expired', async () => {
    const clock = services.clock.now().getTime();
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    const first = await confirmDataImport(ctx, eventsOf(3), token);
    services.clock.set(new Date(clock + 20 * MINUTE_MS));
    expect(await confirmDataImport(ctx, eventsOf(3), token)).toEqual(first);
    services.clock.set(new Date(clock));
    expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([3, 49_997n]);
  });

  test('many times at once writes and charges once, and all get the same answer', async () => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(50));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => confirmDataImport(ctx, eventsOf(50), token)),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([50, 49_950n]);
  });

  test('twice at once with credits for one is paid once and answered twice', async () => {
    const ctx = await workspace();
    await settleReservation(ctx, await reserveCredits(ctx, { amount: 49_940n, purpose: 'Score' }), 49_940n);
    const { token } = await previewDataImport(ctx, eventsOf(50));
    const confirm = () => confirmDataImport(ctx, eventsOf(50), token);
    const [one, other] = await Promise.all([confirm(), confirm()]);
    expect(one).toEqual(other);
    expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([50, 10n]);
  });

  test('without credits for all its events writes nothing, and works once there are', async () => {
    const ctx = await workspace();
    const held = await reserveCredits(ctx, { amount: 49_998n, purpose: 'Score' });
    const { token } = await previewDataImport(ctx, eventsOf(3));
    await expect(confirmDataImport(ctx, eventsOf(3), token)).rejects.toMatchObject({
      category: 'PAYMENT_REQUIRED',
      code: 'TRIAL_CREDITS_EXHAUSTED',
    });
    expect(await eventCount(ctx)).toBe(0);
    await settleReservation(ctx, held, 0n);
    expect((await confirmDataImport(ctx, eventsOf(3), token)).inserted).toBe(3);
  });

  test('what has issues is refused', async () => {
    const ctx = await workspace();
    const input = csv('EVENTS', eventHeader, 'e1,m1,pv,2026-02-01,,', 'e2,m9,pv,2026-02-01,,');
    const { token, issueCount } = await previewDataImport(ctx, input);
    expect(issueCount).toBe(1);
    await expect(confirmDataImport(ctx, input, token)).rejects.toMatchObject({ code: 'IMPORT_HAS_ISSUES' });
    await nothingWritten(ctx);
  });

  test('what others contradicted since the preview is refused as a whole', async () => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    await imported(ctx, csv('EVENTS', eventHeader, 'e2,m2,pv,2026-02-01,,'));
    const failing = confirmDataImport(ctx, eventsOf(3), token);
    await expect(failing).rejects.toMatchObject({ category: 'CONFLICT', code: 'IMPORT_CONFLICT' });
    expect([await eventCount(ctx), await balanceOf(ctx)]).toEqual([1, 49_999n]);
  });

  test('rows that others imported with the same data since the preview are skipped and not charged', async () => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    await imported(ctx, eventsOf(2));
    const { inserted, skipped, batch } = await confirmDataImport(ctx, eventsOf(3), token);
    expect([inserted, skipped, batch.charged, await balanceOf(ctx)]).toEqual([1, 2, 1, 49_997n]);
  });

  test('facts of a member who was restricted since the preview is refused', async () => {
    const ctx = await workspace();
    const { token } = await previewDataImport(ctx, eventsOf(3));
    await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    const failing = confirmDataImport(ctx, eventsOf(3), token);
    await expect(failing).rejects.toMatchObject({ code: 'IMPORT_HAS_ISSUES' });
    await nothingWritten(ctx);
  });
});

describe('through the graph', () => {
  const previewDocument = `mutation ($input: DataImportInput!) {
    previewDataImport(input: $input) {
      token issues { row column code message } issueCount inserted skipped cost } }`;
  const confirmDocument = `mutation ($input: DataImportInput!, $token: String!) {
    confirmDataImport(input: $input, token: $token) {
      inserted skipped mappings batch { kind charged actor } } }`;
  const overview = `{ dataImports { activated counts { members orders events orderLines channelReceipts }
    batches { kind inserted } mappings { externalId memberId member { id } } } }`;
  const ask = (ctx: Context, query: string, variables = {}) => askSubgraph(model, ctx, query, variables);

  test('a file is previewed and confirmed, and the overview shows it', async () => {
    const ctx = await workspace();
    const { mapping: _, ...input } = eventsOf(2);
    const { previewDataImport: preview } = (await ask(ctx, previewDocument, { input })).data;
    expect(preview).toMatchObject({ issues: [], inserted: 2, skipped: 0, cost: 2 });
    const { token } = preview;
    const { confirmDataImport: confirmed } = (await ask(ctx, confirmDocument, { input, token })).data;
    const { data } = await ask(ctx, overview);
    const m1 = confirmed.mappings.m1;
    expect(confirmed.batch).toEqual({ kind: 'EVENTS', charged: 2, actor: ctx.caller.actor });
    expect(data.dataImports).toMatchObject({
      activated: false,
      counts: { members: 2, orders: 0, events: 2, orderLines: 0, channelReceipts: 0 },
      batches: [
        { kind: 'EVENTS', inserted: 2 },
        { kind: 'MEMBERS', inserted: 2 },
      ],
    });
    expect(data.dataImports.mappings.at(-1)).toEqual({ externalId: 'm1', memberId: m1, member: { id: m1 } });
  });

  test('a file is confirmed once under an Idempotency-Key, however many members it has', async () => {
    const caller = callerOf();
    const people = Array.from({ length: 2_100 }, (_, at) => `m${at},,2026-01-01,`);
    const { mapping: _, ...input } = csv('MEMBERS', memberHeader, ...people);
    const ctx = contextOf(services, caller, 'once');
    const { token } = await previewDataImport(contextOf(services, caller), input);
    const first = await ask(ctx, confirmDocument, { input, token });
    expect(first.data.confirmDataImport.inserted).toBe(2_100);
    expect(await ask(ctx, confirmDocument, { input, token })).toEqual(first);
  });

  test('training is allowed and forbidden, each noted in the audit log once', async () => {
    const ctx = newContext();
    const document =
      'mutation ($activate: Boolean!) { activateDataTraining(activate: $activate) { activated } }';
    const answers: unknown[] = [];
    for (const activate of [true, true, false])
      answers.push((await ask(ctx, document, { activate })).data.activateDataTraining.activated);
    const noted = await ctx.sql.query(
      `SELECT after FROM platform.audit_entries WHERE workspace_id = $1 AND action = 'activateDataTraining'
        ORDER BY id`,
      [ctx.scope.workspaceId],
    );
    expect([answers, noted]).toEqual([
      [true, true, false],
      [{ after: { activated: true } }, { after: { activated: false } }],
    ]);
  });

  test.each([
    ['previewDataImport', previewDocument, ['model:data:read']],
    [
      'activateDataTraining',
      'mutation { activateDataTraining(activate: true) { activated } }',
      ['model:data:write'],
    ],
    ['dataImports', overview, ['model:data:write']],
  ])('%s wants its scopes', async (_, document, scopes) => {
    const ctx = newContext({ kind: 'KEY', role: null, scopes });
    expect(await ask(ctx, document, { input: eventsOf(1) })).toMatchObject({ reason: 'SCOPE_MISSING' });
  });
});
