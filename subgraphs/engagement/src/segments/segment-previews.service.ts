import { notFound, unavailable } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { Condition } from '../conditions/condition.ts';
import { refuseUnreadable } from '../conditions/condition-access.ts';
import { conditionFields } from '../conditions/condition-fields.service.ts';
import {
  checkCondition,
  explainCondition,
  previewCondition,
  resolveCondition,
} from '../conditions/conditions.service.ts';
import { describeCondition } from '../conditions/describe-condition.ts';
import { findMember } from '../peers.ts';
import { ensureProfiles } from '../profiles/keep-profiles.service.ts';
import { profilesAsOf } from '../profiles/profiles.service.ts';
import { membershipOf } from './segment-members.service.ts';
import { findSegment, getSegment } from './segments.service.ts';

const SAMPLE_SIZE = 10;

/** A preview of the members of a segment. */
export interface SegmentPreview {
  readonly count: number;
  readonly sampleIds: readonly string[];
  readonly asOf: Date | null;
}

/**
 * Counts the members who meet a definition, before it is saved.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the place in the tree, SCOPE_MISSING, MODULE_DISABLED
 * (403), PEER_UNAVAILABLE (503)
 */
export async function previewSegment(ctx: Context, definition: unknown): Promise<SegmentPreview> {
  const { condition } = await checkCondition(ctx, definition, 'definition');
  await ensureProfiles(ctx);
  // Read before the members are counted, so that the time is never later than the data.
  const asOf = await profilesAsOf(ctx);
  const found = await previewCondition(ctx, await resolveCondition(ctx, condition), SAMPLE_SIZE);
  return { ...found, asOf };
}

/** The explanation why a member is in a segment or not. */
export interface SegmentExplanation {
  readonly memberId: string;
  readonly isMet: boolean;
  readonly parts: readonly { readonly path: string; readonly description: string; readonly isMet: boolean }[];
  readonly isMember: boolean;
  readonly enteredAt: Date | null;
  readonly agrees: boolean;
  readonly asOf: Date | null;
}

/**
 * Explains for each condition why a member is in a segment or not, and whether the stored membership agrees.
 *
 * @throws AppError SCOPE_MISSING, MODULE_DISABLED (403) if the caller may not read the data of the
 * conditions, SEGMENT_NOT_FOUND, MEMBER_NOT_FOUND (404), PROFILE_PENDING, PEER_UNAVAILABLE (503)
 */
export async function explainSegmentMember(
  ctx: Context,
  segmentId: string,
  memberId: string,
): Promise<SegmentExplanation> {
  const segment = await getSegment(ctx, segmentId);
  refuseUnreadable(ctx.caller, segment.definition, 'definition');
  const asOf = await profilesAsOf(ctx);
  const results = await explainCondition(ctx, segment.definition as unknown as Condition, memberId);
  if (!results) throw await withoutProfile(ctx, memberId);
  const labels = { ...(await conditionFields(ctx)), segments: await namesOf(ctx, segment.nestedIds) };
  const isMet = results.find(({ path }) => path === '')?.isMet ?? false;
  const { isMember, enteredAt } = await membershipOf(ctx, segmentId, memberId);
  return {
    memberId,
    isMet,
    parts: results.map((part) => ({
      path: part.path,
      description: describeCondition(part.condition, labels),
      isMet: part.isMet,
    })),
    isMember,
    enteredAt: isMember ? enteredAt : null,
    agrees: isMet === isMember,
    asOf,
  };
}

async function namesOf(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const segments = await Promise.all(ids.map((id) => findSegment(ctx, id)));
  return new Map(segments.flatMap((segment) => (segment ? [[segment.id, segment.name]] : [])));
}

async function withoutProfile(ctx: Context, memberId: string): Promise<Error> {
  const member = await findMember(ctx, memberId);
  if (!member) return notFound('member', memberId);
  return unavailable('PROFILE_PENDING', 'What segments know of this member is still gathered. Ask again.');
}
