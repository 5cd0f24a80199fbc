import { invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import { profilesAsOf } from '../profiles/profiles.service.ts';
import {
  type AudienceExclusionReason,
  audienceGroups,
  type EstimatedAudience,
  type SegmentEstimate,
  segmentCounts,
} from './audiences.store.ts';
import { checkAudience, checkHoldOut } from './edit-campaigns.service.ts';

/** The estimated reach of a campaign. */
export interface AudienceEstimate {
  readonly segments: readonly SegmentEstimate[];
  readonly members: number;
  readonly heldOut: number;
  readonly exclusions: readonly { readonly reason: AudienceExclusionReason; readonly members: number }[];
  readonly reachable: number;
  readonly asOf: Date | null;
}

export interface EstimateAudience {
  readonly channel: EstimatedAudience['channel'];
  readonly segmentIds: readonly string[];
  readonly excludedSegmentIds?: readonly string[] | null | undefined;
  readonly holdOutPercent?: number | null | undefined;
}

/**
 * Estimates how many members a campaign would reach now, from profiles.
 *
 * @throws AppError VALIDATION_FAILED (400), SEGMENT_NOT_FOUND (404)
 */
export async function estimateAudience(ctx: Context, input: EstimateAudience): Promise<AudienceEstimate> {
  if (input.segmentIds.length === 0)
    throw invalid('input.segmentIds', inputRule('REQUIRED', 'must name at least one segment'));
  const holdOutPercent = input.holdOutPercent ?? 0;
  checkHoldOut(holdOutPercent);
  const { segmentIds = [], excludedSegmentIds = [] } = await checkAudience(ctx, input);
  const { marketingPerDay: perDay, marketingPerWeek: perWeek } = await getMessageSettings(ctx);
  const reading = ctx.forLists();
  const audience = { channel: input.channel, segmentIds, excludedSegmentIds, perDay, perWeek };
  const groups = await audienceGroups(reading, audience);
  const counts = await segmentCounts(reading, segmentIds);
  const members = groups.reduce((sum, group) => sum + group.members, 0);
  const open = groups.find(({ reason }) => reason === null)?.members ?? 0;
  const share = (of: number): number => Math.round((of * holdOutPercent) / 100);
  return {
    segments: segmentIds.map((segmentId) => ({ segmentId, members: counts.get(segmentId) ?? 0 })),
    members,
    heldOut: share(members),
    exclusions: groups.flatMap((group) => (group.reason ? [{ ...group, reason: group.reason }] : [])),
    reachable: open - share(open),
    asOf: await profilesAsOf(ctx),
  };
}
