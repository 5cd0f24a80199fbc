import { expect, test } from '@jest/globals';
import { claimRuns } from '@loyalty/engagement-subgraph/journey-runs/runs.store';
import { claimMessages } from '@loyalty/engagement-subgraph/sending/sending.store';
import { suppressedAddressesPage } from '@loyalty/engagement-subgraph/suppressions/suppressions.store';
import { claimEvents } from '@loyalty/engagement-subgraph/webhooks/fan-out.store';
import { claimDeliveries } from '@loyalty/engagement-subgraph/webhooks/sending.store';
import { claimChunk } from '@loyalty/model-subgraph/bulk-jobs/claims.store';
import { expireHeld } from '@loyalty/model-subgraph/credits/reservations.store';
import type { Context } from '@loyalty/platform/context';
import { endStuckExports } from '@loyalty/platform/exports/exports.store';
import { endStuckImports } from '@loyalty/platform/imports/imports.store';
import { useServices } from '../harness/services.ts';

const { services, ctx } = useServices();

const until = new Date('2026-03-02T10:01:00.000Z');
const allDeliveries = { size: 10, perEndpoint: 10, capacities: [], after: null, until };
const firstPage = { size: 10, offset: 0, cursorId: null, isBackward: false };

/** Statements that workers send again and again, by the index that each must use. */
const asked: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  bulk_chunks_open_idx: (ctx) => claimChunk(ctx, 1),
  credit_reservations_held_idx: (ctx) => expireHeld(ctx, 10),
  exports_slot_key: endStuckExports,
  imports_unfinished_idx: endStuckImports,
  journey_runs_due_idx: (ctx) => claimRuns(ctx, 10),
  messages_address_idx: (ctx) => suppressedAddressesPage(ctx, null, firstPage),
  messages_due_idx: (ctx) => claimMessages(ctx, { total: 10, perQueue: 10, busy: [] }),
  webhook_deliveries_due_idx: (ctx) => claimDeliveries(ctx, allDeliveries),
  webhook_events_due_idx: (ctx) => claimEvents(ctx, 10, until),
};

/**
 * The generic plan of a statement. Sequential scans are off, because PostgreSQL would use them for the empty
 * tables.
 */
const planOf = (text: string): Promise<string> =>
  services.database.transaction(async ({ sql }) => {
    const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
    const values = Array.from({ length: Math.max(...places) }, () => 'NULL').join(', ');
    await sql.query('SET LOCAL enable_seqscan = off');
    await sql.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await sql.query(`PREPARE asked AS ${text}`);
    const rows = await sql.query<Record<string, string>>(`EXPLAIN EXECUTE asked(${values})`);
    await sql.query('DEALLOCATE asked');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

test.each(Object.entries(asked))('%s is the index that finds the rows', async (index, ask) => {
  services.statements.length = 0;
  await ask(ctx);
  const [text = ''] = services.statements;
  expect(await planOf(text)).toMatch(new RegExp(`(using|on) ${index} `));
});
