import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { externalAgentOf } from '../agents/agents.service.ts';
import { insertRun } from './agent-runs.store.ts';
import {
  type ClaimedAgentRun,
  claimRun,
  extendRunClaim,
  lockRun,
  saveProgress,
} from './changing-runs.store.ts';

const { services, ctx } = useServices();

// Runs of earlier tests would be claimed, too.
beforeEach(() => ctx.sql.query('UPDATE engagement.agent_runs SET due_at = NULL'));

const ahead = (ms: number): Date => addMs(services.clock.now(), ms);

const claimed = async (): Promise<ClaimedAgentRun> =>
  (await claimRun(contextOf(services, systemCaller('test')), ahead(MINUTE_MS)))!;

const isHeldBy = (claim: ClaimedAgentRun): Promise<boolean> =>
  ctx.transaction(async (tx) => (await lockRun(tx, claim.id, claim.token)) !== null);

const state = Buffer.from('state');

beforeEach(() =>
  ctx.transaction(async (tx) => {
    const agent = await externalAgentOf(tx);
    const run = { id: randomUUID(), skill: null, state, about: [], deadlineAt: ahead(HOUR_MS) };
    await insertRun(tx, { ...agent, ...run });
  }),
);

test('a worker whose run was taken by another one neither keeps its claim nor gets the run', async () => {
  const stale = await claimed();
  services.clock.advance(MINUTE_MS);
  const current = await claimed();
  expect(current).toMatchObject({ id: stale.id, claims: 2 });
  expect(await extendRunClaim(ctx, stale, ahead(HOUR_MS))).toBe(false);
  expect([await isHeldBy(stale), await isHeldBy(current)]).toEqual([false, true]);
  expect(await extendRunClaim(ctx, current, ahead(HOUR_MS))).toBe(true);
});

test('who says when a run is due takes it away from its worker; other progress does not', async () => {
  const claim = await claimed();
  const save = (dueAt: Date | null) =>
    ctx.transaction((tx) => saveProgress(tx, claim.id, { status: 'RUNNING', state, dueAt }));
  await save(null);
  expect(await isHeldBy(claim)).toBe(true);
  await save(services.clock.now());
  expect(await isHeldBy(claim)).toBe(false);
});
