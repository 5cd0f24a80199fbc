import { beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import {
  type CampaignClaim,
  claimCampaign,
  lockClaimed,
  markFailed,
  postponeClaimed,
} from './campaign-claims.store.ts';
import { givenCampaign, givenProfileSegment } from './campaigns.fixture.ts';
import { launchCampaign, pauseCampaign, resumeCampaign } from './launching.service.ts';

const { services, ctx, fresh } = useServices();

// Campaigns of earlier tests would be claimed, too.
beforeEach(() => ctx.sql.query('UPDATE engagement.campaigns SET due_at = NULL'));

const claimed = async (): Promise<CampaignClaim> =>
  (await claimCampaign(contextOf(services, systemCaller('test'))))!;

const isLocked = (claim: CampaignClaim): Promise<boolean> =>
  ctx.transaction(async (tx) => (await lockClaimed(tx, claim)) !== null);

async function launched(): Promise<string> {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const id = await givenCampaign(fresh(), { segmentId });
  await launchCampaign(fresh(), id);
  return id;
}

const dueAt = async (id: string): Promise<Date | null> => {
  const [row] = await ctx.sql.query<{ dueAt: Date | null }>(
    'SELECT due_at FROM engagement.campaigns WHERE workspace_id = $1 AND id = $2',
    [ctx.scope.workspaceId, id],
  );
  return row!.dueAt;
};

test('a worker whose campaign was taken by another one neither gets nor postpones it', async () => {
  const id = await launched();
  const stale = await claimed();
  services.clock.advance(MINUTE_MS);
  const current = await claimed();
  expect(current).toMatchObject({ id, claims: 2 });
  expect([await isLocked(stale), await isLocked(current)]).toEqual([false, true]);
  const leasedUntil = await dueAt(id);
  const later = addMs(services.clock.now(), HOUR_MS);
  await postponeClaimed(ctx, stale, later);
  expect(await dueAt(id)).toEqual(leasedUntil);
  await postponeClaimed(ctx, current, later);
  expect(await dueAt(id)).toEqual(later);
});

test('a pause takes a campaign away from its worker, also where it goes on at once', async () => {
  const id = await launched();
  const stale = await claimed();
  await pauseCampaign(fresh(), id);
  await postponeClaimed(ctx, stale, services.clock.now());
  expect([await isLocked(stale), await dueAt(id)]).toEqual([false, null]);
  await resumeCampaign(fresh(), id);
  expect(await isLocked(stale)).toBe(false);
});

test.each([
  ['SCHEDULED', 'DRAFT', 'late'],
  ['SENDING', 'PAUSED', 'late'],
  ['DRAFT', 'DRAFT', null],
  ['PAUSED', 'PAUSED', null],
  ['SENT', 'SENT', null],
  ['CANCELLED', 'CANCELLED', null],
])('a campaign that is %s is %s after a failure', async (before, after, failure) => {
  const id = await launched();
  const ofIt = 'WHERE workspace_id = $1 AND id = $2';
  const place = [ctx.scope.workspaceId, id];
  await ctx.sql.query(`UPDATE engagement.campaigns SET status = '${before}' ${ofIt}`, place);
  await markFailed(ctx, id, 'late');
  const rows = await ctx.sql.query(`SELECT status, failure FROM engagement.campaigns ${ofIt}`, place);
  expect(rows).toEqual([{ status: after, failure }]);
});
