import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { contextOf } from '@loyalty/test/harness/services';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import type { ProfileRow } from '../profiles/profiles.store.ts';
import { sendCampaignsLoop } from './campaigns.jobs.ts';
import { type CreateCampaign, createCampaign } from './edit-campaigns.service.ts';

const EVERYBODY = JSON.stringify({ field: 'points_balance', operator: 'at_least', value: 0 });

/** Creates a computed segment with these members. */
export async function givenSegmentOf(ctx: Context, memberIds: readonly string[]): Promise<string> {
  const id = newId(ctx.clock);
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO engagement.segments (workspace_id, mode, id, name, definition, aspects, nested_ids,
            computed_version, computed_at, member_count, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $7, '{POINTS}', '{}', 1, $5, $6, 'user:test', $5, $5)`,
    [workspaceId, mode, id, `Segment ${id}`, ctx.clock.now(), memberIds.length, EVERYBODY],
  );
  await ctx.sql.query(
    `INSERT INTO engagement.segment_members (workspace_id, mode, segment_id, member_id, is_member, entered_at)
     SELECT $1, $2::platform."Mode", $3, m.id, true, $5 FROM unnest($4::uuid[]) AS m(id)`,
    [workspaceId, mode, id, memberIds, ctx.clock.now()],
  );
  return id;
}

/** Creates a segment of new members who exist only in profiles. */
export async function givenProfileSegment(
  ctx: Context,
  rows: readonly Partial<ProfileRow>[],
): Promise<{ readonly segmentId: string; readonly memberIds: readonly string[] }> {
  const memberIds = await givenProfiles(ctx, rows);
  return { segmentId: await givenSegmentOf(ctx, memberIds), memberIds };
}

let made = 0;

/** Creates a draft of an e-mail to a segment. */
export async function givenCampaign(ctx: Context, input: Partial<CreateCampaign> = {}): Promise<string> {
  made += 1;
  const { id } = await createCampaign(contextOf(ctx.services, ctx.caller), {
    name: `Campaign ${made}`,
    channel: 'EMAIL',
    ...(input.variants || input.channel === 'WEB_PUSH'
      ? {}
      : { subject: 'News', html: '<p>Hello {{ member.first_name }}</p>' }),
    ...input,
  });
  return id;
}

/** Runs steps of campaigns, as a worker does, until none is due. */
export async function takeSteps(services: Services, stepsMax = Number.POSITIVE_INFINITY): Promise<void> {
  const ctx = contextOf(services, systemCaller('test'));
  for (let step = 0; step < stepsMax; step += 1) if ((await sendCampaignsLoop.turn(ctx)) > 0) return;
}

/** A stored recipient. */
export interface ShownRecipient {
  readonly memberId: string;
  readonly variant: string;
  readonly state: string;
  readonly reason: string | null;
  readonly dueAt: Date;
}

export const recipientsOfCampaign = (ctx: Context, id: string): Promise<ShownRecipient[]> =>
  ctx.sql.query(
    `SELECT member_id, variant, state, reason, due_at
       FROM engagement.campaign_recipients
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND campaign_id = $3 ORDER BY member_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, id],
  );
