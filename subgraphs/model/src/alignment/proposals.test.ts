import { describe, expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { givenMembers } from '../bulk-jobs/bulk-jobs.fixture.ts';
import { orders } from '../facts/facts.fixture.ts';
import { standardTrainer } from '../pipelines/trainer.ts';
import { model } from '../subgraph.ts';
import { approveReport } from '../training/reviews.service.ts';
import { reviewOf, work } from '../training/versions.fixture.ts';
import { publishVersion } from '../versions/publication.service.ts';
import { listQueue } from '../versions/reports.service.ts';
import { listVersionEvents } from '../versions/version-events.service.ts';
import { cancelVersion, getVersion, listVersions } from '../versions/versions.service.ts';
import {
  FIRST_DAY,
  type GeneratedMembers,
  indistinctMembers,
  lapsingMembers,
} from './generated-histories.fixture.ts';
import {
  listProposalSchedules,
  runDueProposal,
  updateProposalSchedule,
} from './proposal-schedules.service.ts';
import { proposeAlignment } from './proposals.service.ts';
import { checkOf } from './staleness.service.ts';

const DAYS = 400;
const { newContext, services } = useServices({
  at: new Date((FIRST_DAY + DAYS + 1) * DAY_MS + 3_600_000).toISOString(),
});

/** Creates members with the orders of a known process, each at noon. */
async function givenBuyers(ctx: Context, { histories }: GeneratedMembers): Promise<string[]> {
  const ids = await givenMembers(ctx, histories.length, { buyers: 0 });
  const all = histories.flatMap(({ purchaseDays }, member) =>
    purchaseDays.map((day) => ({ memberId: ids[member]!, at: new Date((day + 0.5) * DAY_MS) })),
  );
  for (let from = 0; from < all.length; from += 2_000) await orders(ctx, all.slice(from, from + 2_000));
  return ids;
}

const lapsing = (members = 700) => lapsingMembers({ members, days: DAYS, seed: 8 });

async function proposed(ctx: Context) {
  const { id } = await proposeAlignment(ctx, { target: 'PURCHASE' });
  await work(ctx, standardTrainer);
  return getVersion(ctx, { id });
}

const noticesOf = async (ctx: Context) => {
  const { data } = await ask(model, ctx, '{ alignmentNotices { kind version { id } } }');
  return data.alignmentNotices;
};
const queueOf = async (ctx: Context) => (await listQueue(ctx, {})).rows.map(({ versionId }) => versionId);

describe('a proposal from own history', () => {
  test('waits for its review like any other version, and is applied by a publication only', async () => {
    const ctx = newContext();
    await givenBuyers(ctx, lapsing());
    const version = await proposed(ctx);
    expect(version).toMatchObject({
      kind: 'ALIGNMENT',
      subject: 'PURCHASE',
      source: 'OWN_HISTORY',
      origin: 'LIVE',
      horizon: 30,
      status: 'EVALUATED',
      failure: null,
      attempt: 1,
    });
    expect(version.sampleCount).toBeGreaterThan(500);
    expect(await queueOf(ctx)).toEqual([version.id]);
    expect(await noticesOf(ctx)).toEqual([{ kind: 'PROPOSAL_WAITS', version: { id: version.id } }]);
    await approveReport(ctx, await reviewOf(ctx, version));
    expect((await publishVersion(ctx, version)).status).toBe('PUBLISHED');
    expect(await noticesOf(ctx)).toEqual([]);
  });

  test('that waits is computed anew by the next one', async () => {
    const ctx = newContext();
    await givenBuyers(ctx, lapsing());
    const first = await proposed(ctx);
    const again = await proposed(ctx);
    expect([again.id, again.attempt, again.status]).toEqual([first.id, 2, 'EVALUATED']);
  });

  test('of noise is rejected at once, and waits for nobody', async () => {
    const ctx = newContext();
    await givenBuyers(ctx, indistinctMembers({ members: 700, days: DAYS, seed: 8 }));
    const version = await proposed(ctx);
    expect(version.status).toBe('REJECTED');
    expect([await queueOf(ctx), await noticesOf(ctx)]).toEqual([[], []]);
  });

  test('needs history, and says how much', async () => {
    const ctx = newContext();
    const version = await proposed(ctx);
    expect(version).toMatchObject({ status: 'FAILED', failureCode: 'TOO_LITTLE_HISTORY' });
    expect(version.failure).toMatch(/two windows .* 500 members/);
  });

  test('runs once for each target, whoever asks at the same time', async () => {
    const ctx = newContext();
    const asked = await Promise.allSettled([1, 2, 3].map(() => proposeAlignment(ctx, { target: 'CHURN' })));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toEqual([
      expect.objectContaining({ code: 'PROPOSAL_RUNNING' }),
      expect.objectContaining({ code: 'PROPOSAL_RUNNING' }),
    ]);
    await proposeAlignment(ctx, { target: 'PURCHASE' });
    const { rows } = await listVersions(ctx, 'ALIGNMENT', {});
    expect(rows.map(({ subject }) => subject)).toEqual(['PURCHASE', 'CHURN']);
    await cancelVersion(ctx, rows[1]!);
    expect((await proposeAlignment(ctx, { target: 'CHURN' })).status).toBe('QUEUED');
  });

  test.each([0, 366])('is about 1 to 365 days, not %i', async (horizon) => {
    const refused = { code: 'VALIDATION_FAILED', details: expect.objectContaining({ field: 'horizon' }) };
    const ctx = newContext();
    await expect(async () => proposeAlignment(ctx, { target: 'CHURN', horizon })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('an alignment in use', () => {
  test('goes stale when members do something else, and the next proposal says so', async () => {
    const ctx = newContext();
    const ids = await givenBuyers(ctx, lapsing());
    const fresh = () => newContext({ workspaceId: ctx.scope.workspaceId });
    const version = await proposed(ctx);
    await approveReport(ctx, await reviewOf(ctx, version));
    await publishVersion(ctx, version);
    await proposed(ctx);
    expect(await checkOf(fresh(), version.id)).toMatchObject({ isStale: false, staleSince: null });
    // From now on every other member buys every week, including those who had left; nobody else buys any
    // more.
    const later = ids
      .filter((_, place) => place % 2 === 0)
      .flatMap((memberId) =>
        [1, 8, 15, 22, 29].map((days) => ({ memberId, at: addMs(services.clock.now(), days * DAY_MS) })),
      );
    services.clock.advance(31 * DAY_MS);
    for (let from = 0; from < later.length; from += 2_000) await orders(ctx, later.slice(from, from + 2_000));
    await proposed(ctx);
    const check = await checkOf(fresh(), version.id);
    expect(check).toMatchObject({ isStale: true, staleSince: services.clock.now() });
    expect(check!.calibrationError).toBeGreaterThan(check!.calibrationBound);
    const stale = { kind: 'PUBLISHED_STALE', version: { id: version.id } };
    expect(await noticesOf(ctx)).toContainEqual(stale);
    const query = `{ modelVersion(id: "${version.id}") { check { isStale cutoffDate members } } }`;
    const { data } = await ask(model, fresh(), query);
    expect(data.modelVersion.check).toMatchObject({ isStale: true, members: check!.members });
    // A later check still finds it stale: `staleSince` does not change, and the history records it once.
    services.clock.advance(1_000);
    await proposed(ctx);
    const again = await checkOf(fresh(), version.id);
    expect(again).toMatchObject({ isStale: true, checkedAt: services.clock.now() });
    expect(again!.staleSince).toEqual(check!.staleSince);
    const history = await listVersionEvents(ctx, 'ALIGNMENT');
    expect(history.filter(({ type }) => type === 'stale')).toHaveLength(1);
    services.clock.advance(-1_000);
    services.clock.advance(-31 * DAY_MS);
  });
});

describe('monthly proposals', () => {
  test('are off by default', async () => {
    const ctx = newContext();
    expect(await listProposalSchedules(ctx)).toMatchObject([
      { target: 'PURCHASE', horizon: 30, nextRunAt: null },
      { target: 'CHURN', horizon: 90, nextRunAt: null },
      { target: 'ABANDONMENT', horizon: 30, nextRunAt: null },
    ]);
  });

  test('run on the first of the month, once for two workers', async () => {
    const ctx = newContext();
    const { nextRunAt } = await updateProposalSchedule(ctx, { target: 'PURCHASE', enabled: true });
    expect(nextRunAt!.toISOString()).toMatch(/-01T03:00:00.000Z$/);
    expect(await runDueProposal(ctx)).toBe(false);
    services.clock.advance(nextRunAt!.getTime() - services.clock.now().getTime());
    expect((await Promise.all([1, 2].map(() => runDueProposal(ctx)))).sort()).toEqual([false, true]);
    const [schedule] = await listProposalSchedules(ctx);
    expect(schedule).toMatchObject({ lastRunAt: nextRunAt, lastOutcome: 'A proposal is computed.' });
    expect(schedule!.nextRunAt!.getTime()).toBeGreaterThan(nextRunAt!.getTime());
    const version = await getVersion(ctx, { id: schedule!.lastVersionId! });
    expect(version).toMatchObject({ status: 'QUEUED', actor: 'system:alignment-proposals' });
    const off = await updateProposalSchedule(ctx, { target: 'PURCHASE', enabled: false });
    expect(off.nextRunAt).toBeNull();
  });
});
