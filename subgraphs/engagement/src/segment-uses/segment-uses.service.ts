import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { campaignsUsing } from '../campaigns/campaigns.service.ts';
import { journeysUsing } from '../journeys/journeys.service.ts';
import { parentsOf, removeSegment, type Segment } from '../segments/segments.service.ts';

/** Something that uses a segment. */
export interface SegmentUse {
  readonly kind: 'SEGMENT' | 'CAMPAIGN' | 'JOURNEY' | 'AUTOMATION';
  readonly id: string;
  readonly name: string;
}

type UsesOf = (ctx: Context, segmentId: string) => Promise<readonly SegmentUse[]>;

const nestingSegments: UsesOf = async (ctx, segmentId) =>
  (await parentsOf(ctx, segmentId)).map(({ id, name }) => ({ kind: 'SEGMENT', id, name }));

/**
 * The nouns that can use a segment. Each function returns the live uses, which prevent the deletion of the
 * segment.
 */
const registry: readonly UsesOf[] = [nestingSegments, campaignsUsing, journeysUsing];

/** Maximum number of uses that an error message names. */
const NAMED_MAX = 5;

/** Returns all uses of a segment. */
export async function usesOfSegment(ctx: Context, segmentId: string): Promise<SegmentUse[]> {
  const found: SegmentUse[] = [];
  for (const usesOf of registry) found.push(...(await usesOf(ctx, segmentId)));
  return found;
}

/**
 * Deletes a segment that is not in use.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), SEGMENT_IN_USE (409)
 * @remarks Source: requirements L-SEG-03
 */
export async function deleteSegment(
  ctx: Context,
  id: string,
): Promise<{ readonly id: string; readonly deleted: true }> {
  await ctx.transaction((tx) => removeSegment(tx, id, (segment) => refuseUsed(tx, segment)));
  return { id, deleted: true };
}

async function refuseUsed(tx: Context, { id, name }: Segment): Promise<void> {
  const uses = await usesOfSegment(tx, id);
  if (uses.length > 0) throw inUse(name, uses);
}

function inUse(name: string, uses: readonly SegmentUse[]): AppError {
  const named = uses.slice(0, NAMED_MAX).map((use) => `the ${use.kind.toLowerCase()} “${use.name}”`);
  const others = uses.length - named.length;
  const all = others > 0 ? [...named, `${others} more`] : named;
  const list = all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : all[0];
  return conflict('SEGMENT_IN_USE', `“${name}” is used by ${list}. Take it out there first.`);
}
