import { type AppError, conflict, invalid } from '@loyalty/platform/base/errors';
import { gathered, gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { type CheckedCondition, checkCondition } from '../conditions/conditions.service.ts';
import { ensureProfiles } from '../profiles/keep-profiles.service.ts';
import { requestComputation } from '../profiles/memberships.service.ts';
import { lockProfiles } from '../profiles/profiles.service.ts';
import { auditSegment, checkSegments, getSegment, SEGMENT_NOUN, type Segment } from './segments.service.ts';
import {
  addAspects,
  changeSegment,
  findAncestorIds,
  insertSegment,
  lockDefinitions,
  segmentNames,
} from './segments.store.ts';

const NAME_MAX = 100;

const DESCRIPTION_MAX = 500;

const SEGMENTS_MAX = 500;

const DEFINITION = 'input.definition';

export interface CreateSegment {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly definition: unknown;
}

/**
 * Creates a segment. Its members are computed in the background.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the place in the tree, SEGMENT_NOT_FOUND (404) for a nested
 * one, SCOPE_MISSING, MODULE_DISABLED (403), SEGMENT_EXISTS, SEGMENT_LIMIT (409), PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-SEG-02
 */
export async function createSegment(ctx: Context, input: CreateSegment): Promise<Segment> {
  const read = () => checkCondition(ctx, input.definition, DEFINITION);
  const { name, description } = await gatheredWith(
    () =>
      gathered((check) => ({
        name: check(() => checkName(input.name)),
        description: check(() => (input.description?.trim() ? checkDescription(input.description) : null)),
      })),
    read,
  );
  const checked = await read();
  await ensureProfiles(ctx);
  return ctx.transaction(async (tx) => {
    await lockForDefinition(tx);
    await checkSegments(tx, checked.nestedIds, DEFINITION);
    const { total, isTaken } = await segmentNames(tx, name, null);
    if (isTaken) throw nameTaken();
    if (total >= SEGMENTS_MAX) throw tooMany();
    const id = newId(tx.clock);
    await insertSegment(tx, { id, name, description }, checked);
    await requestComputation(tx, id);
    const segment = await getSegment(tx, id);
    await auditSegment(tx, 'createSegment', null, segment);
    return segment;
  });
}

export interface UpdateSegment {
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly definition?: unknown;
  readonly ifVersion?: number | null | undefined;
}

/**
 * Changes a segment. Absent fields do not change. A changed definition creates the next version, which is
 * computed in the background for this segment and for segments that contain it.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the place in the tree, SEGMENT_NOT_FOUND (404),
 * SCOPE_MISSING, MODULE_DISABLED (403), SEGMENT_EXISTS, SEGMENT_CHANGED (409), PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-SEG-03
 */
export async function updateSegment(ctx: Context, id: string, input: UpdateSegment): Promise<Segment> {
  const { name, description } = gathered((check) => ({
    name: input.name == null ? null : check(() => checkName(input.name!)),
    description: input.description == null ? null : check(() => checkDescription(input.description!)),
  }));
  await getSegment(ctx, id);
  const checked =
    input.definition == null ? null : await checkCondition(ctx, input.definition, DEFINITION, { selfId: id });
  if (checked) await ensureProfiles(ctx);
  return ctx.transaction(async (tx) => {
    await (checked ? lockForDefinition(tx) : lockDefinitions(tx));
    const before = await getSegment(tx, id);
    if (input.ifVersion != null && input.ifVersion !== before.version) throw changed(before.version);
    if (name !== null && (await segmentNames(tx, name, id)).isTaken) throw nameTaken();
    if (checked) await refuseCircle(tx, id, checked);
    const after = (await changeSegment(tx, id, { name, description, checked }))!;
    if (after.version !== before.version) await recompute(tx, id);
    await auditSegment(tx, 'updateSegment', before, after);
    publishProgress(tx, SEGMENT_NOUN, id);
    return getSegment(tx, id);
  });
}

/**
 * Repeats the check for cycles under the lock, because other segments may have changed since the definition
 * was checked.
 */
async function refuseCircle(tx: Context, id: string, { nestedIds }: CheckedCondition): Promise<void> {
  if (nestedIds.length === 0) return;
  await checkSegments(tx, nestedIds, DEFINITION);
  const ancestors = new Set([id, ...(await findAncestorIds(tx, id))]);
  if (nestedIds.some((nestedId) => ancestors.has(nestedId)))
    throw invalid(DEFINITION, 'must not contain the segment itself, at any depth');
}

/** Locks definitions and profiles, so that the computation of members does not see half of a change. */
async function lockForDefinition(tx: Context): Promise<void> {
  await lockDefinitions(tx);
  await lockProfiles(tx);
}

async function recompute(tx: Context, id: string): Promise<void> {
  await addAspects(tx, await findAncestorIds(tx, id), id);
  await requestComputation(tx, id);
}

const checkName = (name: string): string => checkText('input.name', name, NAME_MAX);

/** Validates a description. Empty text deletes the description. */
const checkDescription = (text: string): string =>
  text.trim() === '' ? '' : checkText('input.description', text, DESCRIPTION_MAX);

const nameTaken = (): AppError =>
  conflict('SEGMENT_EXISTS', 'A segment has this name. Choose another.', { field: 'input.name' });

const tooMany = (): AppError =>
  conflict('SEGMENT_LIMIT', `There are ${SEGMENTS_MAX} segments. Delete one that is not used.`);

const changed = (version: number): AppError =>
  conflict(
    'SEGMENT_CHANGED',
    `Version ${version} is current by now. Load the segment again, then make your change.`,
    { field: 'input.ifVersion' },
  );
