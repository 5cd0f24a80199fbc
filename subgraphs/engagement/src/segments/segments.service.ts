import { invalid, notFound } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publishEnd } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchSnapshot } from '@loyalty/platform/subscriptions/watch-snapshot';
import { dropMemberships, requestComputation } from '../profiles/memberships.service.ts';
import { profilesAsOf } from '../profiles/profiles.service.ts';
import {
  deleteSegmentRow,
  findSegmentRow,
  lockDefinitions,
  lockSegmentRows,
  progressBySegment,
  type Segment,
  type SegmentSize,
  segmentById,
  segmentsNaming,
  segmentsPage,
  sizesByKey,
  sizesKey,
} from './segments.store.ts';

export type { Segment, SegmentSize };

/** The noun of a segment in live channels, as in payloads: `segmentId`. */
export const SEGMENT_NOUN = 'segment';
const DAYS_MAX = 365;

/** Changes of definitions and names are serialized, see `lockDefinitions`. */
export const definitionsRow = (): string => 'segments';

/**
 * Lists segments, newest first.
 *
 * @param args.search - a part of the name
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export const listSegments = async (
  ctx: Context,
  args: PageArgs & { readonly search?: string | null | undefined },
): Promise<Page<Segment>> => segmentsPage(ctx, pageRequest(args), args.search?.trim() || null);

/** Returns a segment by id, or null. */
export const findSegment = (ctx: Context, id: string): Promise<Segment | null> => ctx.load(segmentById, id);

/** Returns the current segment. @throws AppError SEGMENT_NOT_FOUND (404) */
export async function getSegment(ctx: Context, id: string): Promise<Segment> {
  const segment = await findSegmentRow(ctx, id);
  if (!segment) throw notFound('segment', id);
  return segment;
}

/**
 * Checks that these segments exist. In a transaction, they cannot be deleted until it ends.
 *
 * @param path - of the list in the request, such as `input.segmentIds`; errors contain the path of an element
 * @throws AppError VALIDATION_FAILED (400), SEGMENT_NOT_FOUND (404)
 */
export async function checkSegments(ctx: Context, ids: readonly string[], path: string): Promise<void> {
  const misplaced = ids.findIndex((id, place) => !isUuid(id) || ids.indexOf(id) !== place);
  if (misplaced >= 0) {
    const rule = isUuid(ids[misplaced]!)
      ? 'names a segment for the second time'
      : 'must be the id of a segment';
    throw invalid(`${path}[${misplaced}]`, rule);
  }
  if (ids.length === 0) return;
  const found = ctx.isInTransaction ? await lockSegmentRows(ctx, ids) : await findIds(ctx, ids);
  const missing = ids.find((id) => !found.includes(id));
  if (missing !== undefined) throw notFound('segment', missing);
}

async function findIds(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => findSegment(ctx, id)));
  return found.flatMap((segment) => (segment ? [segment.id] : []));
}

/** Returns the time up to which segments reflect all events: one statement for all segments of a request. */
export const segmentsAsOf = (ctx: Context): Promise<Date | null> => ctx.load(asOf, 'profiles');

const asOf = loader(async (ctx, keys: readonly string[]) => {
  const at = await profilesAsOf(ctx);
  return new Map(at ? keys.map((key) => [key, at]) : []);
});

/** Whether a computation of all members is requested or running. */
export const isComputing = ({ failure, version, computedVersion, computedToId }: Segment): boolean =>
  failure === null && (version !== computedVersion || computedToId !== null);

/** Returns the computed fraction of the members, 0 to 1; null while no computation is running. */
export async function progressOf(ctx: Context, segment: Segment): Promise<number | null> {
  if (!isComputing(segment)) return null;
  return segment.computedToId === null ? 0 : ctx.load(progressBySegment, segment.id);
}

/**
 * Returns the history of a segment's size, oldest first. Batched by segment.
 *
 * @param days - 1 to 365
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function sizesOf(ctx: Context, segment: Segment, days: number): Promise<SegmentSize[]> {
  if (days < 1 || days > DAYS_MAX) throw invalid('days', between(1, DAYS_MAX));
  return (await ctx.load(sizesByKey, sizesKey(segment.id, days))) ?? [];
}

/**
 * Computes the members of a segment again. A running computation restarts.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404)
 */
export async function recomputeSegment(ctx: Context, id: string): Promise<Segment> {
  return ctx.transaction(async (tx) => {
    await getSegment(tx, id);
    await requestComputation(tx, id);
    await audit(tx, { action: 'recomputeSegment', resourceType: 'Segment', resourceId: id });
    return getSegment(tx, id);
  });
}

/**
 * Watches a segment: its current state and each change, until it is deleted. @throws AppError
 * SEGMENT_NOT_FOUND (404)
 */
export async function watchSegment(ctx: Context, id: string): Promise<Snapshots<Segment>> {
  await getSegment(ctx, id);
  return watchSnapshot<Segment>(ctx, {
    noun: SEGMENT_NOUN,
    id,
    read: (reading) => findSegmentRow(reading, id),
    isEnded: () => false,
  });
}

/** Returns the segments whose conditions refer to this one. */
export const parentsOf = (
  ctx: Context,
  id: string,
): Promise<{ readonly id: string; readonly name: string }[]> => segmentsNaming(ctx, id);

/**
 * Deletes a segment that is not in use. `refuse` checks this in the same transaction. New uses wait for the
 * end of the transaction.
 *
 * @throws AppError SEGMENT_NOT_FOUND (404), and the errors of `refuse`
 */
export async function removeSegment(
  tx: Context,
  id: string,
  refuse: (segment: Segment) => Promise<void>,
): Promise<void> {
  await lockDefinitions(tx);
  const segment = await getSegment(tx, id);
  await deleteSegmentRow(tx, id);
  // Transactions that locked the row to use the segment have committed by now.
  await refuse(segment);
  await dropMemberships(tx, id);
  await auditSegment(tx, 'deleteSegment', segment, null);
  publishEnd(tx, SEGMENT_NOUN, id);
}

/** Audits a change of a segment. */
export function auditSegment(
  tx: Context,
  action: string,
  before: Segment | null,
  after: Segment | null,
): Promise<void> {
  const resourceId = (after ?? before)!.id;
  return audit(tx, {
    action,
    resourceType: 'Segment',
    resourceId,
    before: audited(before),
    after: audited(after),
  });
}

const audited = (segment: Segment | null) =>
  segment && { name: segment.name, version: segment.version, definition: segment.definition };
