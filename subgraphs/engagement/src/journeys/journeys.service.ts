import { isDeepStrictEqual } from 'node:util';
import { conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { LRUCache } from 'lru-cache';
import type { JourneyDefinition } from './journey-definition.ts';
import {
  deleteTriggers,
  insertDraft,
  insertVersion,
  type Journey,
  type JourneyKind,
  type JourneyStatus,
  type JourneyVersion,
  journeyById,
  journeysPage,
  journeysWithSegment,
  lockDraft,
  nextVersion,
  replaceTriggers,
  setStatus,
  versionByKey,
  versionKey,
  versionsOfJourney,
} from './journeys.store.ts';

export type { Journey, JourneyKind, JourneyStatus, JourneyVersion };

const VERSIONS_PAGE = 20;

/** Returns a journey by id, also of an automation, or null. */
export const findJourney = (ctx: Context, id: string): Promise<Journey | null> => ctx.load(journeyById, id);

/** @throws AppError JOURNEY_NOT_FOUND (404) */
export async function getJourney(ctx: Context, id: string): Promise<Journey> {
  const found = await findJourney(ctx, id);
  if (!found) throw notFound('journey', id);
  return found;
}

/**
 * Lists journeys of the workspace, newest first, without those of automations.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listJourneys = async (
  ctx: Context,
  { status, ...paging }: PageArgs & { readonly status?: JourneyStatus | null | undefined },
): Promise<Page<Journey>> => journeysPage(ctx, pageRequest(paging), status ?? null);

/**
 * Lists versions of a journey, newest first. Batched by journey.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listJourneyVersions(
  ctx: Context,
  { id, version }: Journey,
  args: PageArgs,
): Promise<Page<JourneyVersion>> {
  const request = pageRequest(args, VERSIONS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps, so the version is the count.
  return page(request, await versionsOfJourney(ctx, id, request), async () => version ?? 0);
}

/** Cache size in definitions. Versions never change. */
const REMEMBERED_MAX = 500;
const remembered = new LRUCache<string, JourneyVersion>({ max: REMEMBERED_MAX });

/**
 * Returns a version. Versions never change, so committed versions are cached.
 *
 * @throws AppError JOURNEY_VERSION_NOT_FOUND (404)
 */
export async function versionOf(ctx: Context, journeyId: string, number: number): Promise<JourneyVersion> {
  const { workspaceId, mode } = ctx.scope;
  const key = versionKey(journeyId, number);
  const known = remembered.get(`${workspaceId}/${mode}/${key}`);
  if (known) return known;
  const found = await ctx.load(versionByKey, key);
  if (!found) throw notFound('journey version', key);
  // The version of an open transaction may be rolled back.
  if (!ctx.isInTransaction) remembered.set(`${workspaceId}/${mode}/${key}`, found);
  return found;
}

/**
 * Creates a draft, which members cannot enter yet, in the caller's transaction.
 *
 * @param input.definition - as `checkJourney` returned it, before the transaction
 */
export const createJourneyDraft = (
  tx: Context,
  { name, definition }: { readonly name: string; readonly definition: JourneyDefinition },
): Promise<Journey> => insertDraft(tx, { id: newId(tx.clock), name, draft: definition });

/**
 * Publishes a definition as the next version, which members enter from now on, and returns its number.
 * Creates the journey if the id is unknown. A draft becomes ACTIVE; a paused journey stays paused.
 *
 * @param input.definition - as `checkJourney` returned it, before the transaction
 * @throws AppError JOURNEY_ENDED (409)
 */
export async function publishVersion(
  tx: Context,
  input: {
    readonly id: string;
    readonly kind: JourneyKind;
    readonly name: string;
    readonly definition: JourneyDefinition;
  },
): Promise<number> {
  const { id, kind, name, definition } = input;
  const number = await nextVersion(tx, { id, kind, name, draft: definition });
  if (number === null) throw journeyEnded();
  await insertVersion(tx, { journeyId: id, number, definition });
  await replaceTriggers(tx, id, definition);
  tx.forget();
  return number;
}

/** The error (409) of an ended journey. */
export const journeyEnded = () =>
  conflict('JOURNEY_ENDED', 'The journey has ended. Duplicate it to go on with its steps.');

/**
 * Sets the status, if it is one of `from`. The triggers of an ended journey are deleted. The caller must also
 * handle members and messages, as `changeJourneyStatus` does.
 *
 * @returns false if the journey has another status or is unknown
 */
export async function setJourneyStatus(
  tx: Context,
  id: string,
  change: { readonly from: readonly JourneyStatus[]; readonly to: JourneyStatus },
): Promise<boolean> {
  if (!(await setStatus(tx, id, change))) return false;
  if (change.to === 'ENDED') await deleteTriggers(tx, id);
  tx.forget();
  return true;
}

/** Whether the draft differs from the current version. */
export async function isDraftChanged(ctx: Context, { id, draft, version }: Journey): Promise<boolean> {
  if (version === null) return true;
  return !isDeepStrictEqual((await versionOf(ctx, id, version)).definition, draft);
}

/**
 * Locks a journey until the transaction ends. Returns false if its draft or version has changed since it was
 * read.
 */
export const lockJourneyDraft = (tx: Context, journey: Journey): Promise<boolean> => lockDraft(tx, journey);

/**
 * Returns the journeys and automations that use a segment and have not ended. While there are any, it cannot
 * be deleted.
 */
export const journeysUsing = async (
  ctx: Context,
  segmentId: string,
): Promise<Pick<Journey, 'kind' | 'id' | 'name'>[]> =>
  (await journeysWithSegment(ctx, segmentId)).map(({ kind, id, name }) => ({ kind, id, name }));
