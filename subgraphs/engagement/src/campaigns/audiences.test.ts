import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { updateMessageSettings } from '../limits/message-settings.service.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import type { ProfileRow } from '../profiles/profiles.store.ts';
import { engagement } from '../subgraph.ts';
import { estimateAudience } from './audiences.service.ts';
import { givenSegmentOf } from './campaigns.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const open: Partial<ProfileRow> = { consents: ['EMAIL_MARKETING'] };

/** Inserts a message that was sent to the member at an address. */
async function givenMailed(memberId: string, emailIndex: string, countedAt: Date | null): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.messages (workspace_id, mode, id, category, member_id, email_index, status,
            counted_at, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, 'MARKETING', $4, $5, 'SENT', $6, 'user:test', $7)`,
    [workspaceId, mode, newId(ctx.clock), memberId, emailIndex, countedAt, ctx.clock.now()],
  );
}

/** Expects the estimate of a web push when no member has a browser. */
async function expectPushEstimate(segmentId: string): Promise<void> {
  const push = await estimateAudience(fresh(), { channel: 'WEB_PUSH', segmentIds: [segmentId] });
  expect(push).toMatchObject({ members: 8, reachable: 0 });
  expect(push.exclusions).toEqual([
    { reason: 'NO_BROWSER', members: 6 },
    { reason: 'CLOSED', members: 1 },
    { reason: 'RESTRICTED', members: 1 },
  ]);
}

test('an estimate counts each member once, with the first reason that holds', async () => {
  const ids = await givenProfiles(ctx, [
    ...[open, open, open, open],
    { ...open, status: 'DEACTIVATION_PENDING', isRestricted: true },
    { ...open, isRestricted: true, hasEmail: false },
    { ...open, hasEmail: false },
    {},
    open,
    open,
  ]);
  const [first, second] = [
    await givenSegmentOf(ctx, ids.slice(0, 8)),
    await givenSegmentOf(ctx, ids.slice(4)),
  ];
  const excluded = await givenSegmentOf(ctx, ids.slice(0, 1));
  await givenMailed(ids[8]!, 'bounced', null);
  await ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     VALUES ($1, $2, $3::platform."Mode", 'bounced', 'BOUNCED', $4)`,
    [newId(ctx.clock), ctx.scope.workspaceId, ctx.scope.mode, ctx.clock.now()],
  );
  await updateMessageSettings(fresh(), { marketingPerDay: 1, marketingPerWeek: 3 });
  await givenMailed(ids[9]!, 'other', services.clock.now());
  const input = {
    channel: 'EMAIL',
    segmentIds: [first, second],
    excludedSegmentIds: [excluded],
    holdOutPercent: 34,
  };
  const { data } = await ask(
    fresh(),
    `query ($input: EstimateAudienceInput!) { estimateAudience(input: $input) {
      segments { segment { id } members } members heldOut reachable asOf exclusions { reason members } } }`,
    { input },
  );
  expect(data.estimateAudience).toEqual({
    segments: [
      { segment: { id: first }, members: 8 },
      { segment: { id: second }, members: 6 },
    ],
    ...{ members: 9, heldOut: 3, reachable: 2, asOf: expect.any(String) },
    exclusions: ['CLOSED', 'FREQUENCY_CAP', 'NO_CONSENT', 'NO_EMAIL', 'RESTRICTED', 'SUPPRESSED'].map(
      (reason) => ({ reason, members: 1 }),
    ),
  });
  await expectPushEstimate(first);
});

test('an estimate asks for segments of the workspace', async () => {
  const foreign = await givenSegmentOf(newContext(), []);
  const estimate = (segmentIds: readonly string[]) =>
    estimateAudience(fresh(), { channel: 'EMAIL', segmentIds });
  await expect(estimate([])).rejects.toMatchObject({
    message: 'input.segmentIds must name at least one segment.',
  });
  await expect(estimate([foreign])).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
});
