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

/** One journey of the workspace, of an automation too; null when there is none. */
export const findJourney = (ctx: Context, id: string): Promise<Journey | null> => ctx.load(journeyById, id);

/** @throws AppError JOURNEY_NOT_FOUND (404) */
export async function getJourney(ctx: Context, id: string): Promise<Journey> {
  const found = await findJourney(ctx, id);
  if (!found) throw notFound('journey', id);
  return found;
}

/**
 * Journeys of the workspace, newest first, without those of automations.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listJourneys = async (
  ctx: Context,
  { status, ...paging }: PageArgs & { readonly status?: JourneyStatus | null | undefined },
): Promise<Page<Journey>> => journeysPage(ctx, pageRequest(paging), status ?? null);

/**
 * Versions of a journey, newest first; parts of many lists load together.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listJourneyVersions(
  ctx: Context,
  { id, version }: Journey,
  args: PageArgs,
): Promise<Page<JourneyVersion>> {
  const request = pageRequest(args, VERSIONS_PAGE, undefined, (text) => /^[1-9][0-9]{0,8}$/.test(text));
  // Numbers have no gaps.
  return page(request, await versionsOfJourney(ctx, id, request), async () => version ?? 0);
}

/** Definitions that a process remembers; versions never change. */
const REMEMBERED_MAX = 500;
const remembered = new LRUCache<string, JourneyVersion>({ max: REMEMBERED_MAX });

/**
 * A version, which never changes; a process remembers those that were kept.
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
  // Inside of a transaction the version may not be kept.
  if (!ctx.isInTransaction) remembered.set(`${workspaceId}/${mode}/${key}`, found);
  return found;
}

/**
 * Adds a journey that nobody enters yet, in the caller's transaction.
 *
 * @param input.definition - as `checkJourney` returned it, before the transaction
 */
export const createJourneyDraft = (
  tx: Context,
  { name, definition }: { readonly name: string; readonly definition: JourneyDefinition },
): Promise<Journey> => insertDraft(tx, { id: newId(tx.clock), name, draft: definition });

/**
 * Makes a definition the version that members enter from now on, and returns its number. A journey of that id
 * that does not exist is made; one that is a draft becomes ACTIVE, one that is paused stays so.
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

/** 409: it has ended for good. */
export const journeyEnded = () =>
  conflict('JOURNEY_ENDED', 'The journey has ended. Duplicate it to go on with its steps.');

/**
 * Sets the status, if it is one of `from`; a journey that has ended listens to nothing. Whoever changes it
 * has to see to its members and messages, as `changeJourneyStatus` does.
 *
 * @returns false where the status is another one, or the journey unknown
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

/** Does the draft differ from the version that members enter? */
export async function isDraftChanged(ctx: Context, { id, draft, version }: Journey): Promise<boolean> {
  if (version === null) return true;
  return !isDeepStrictEqual((await versionOf(ctx, id, version)).definition, draft);
}

/** Locks a journey until the transaction ends; false where its draft or version is not what was read. */
export const lockJourneyDraft = (tx: Context, journey: Journey): Promise<boolean> => lockDraft(tx, journey);

/** The journeys and automations that name a segment and have not ended: it cannot be deleted meanwhile. */
export const journeysUsing = async (
  ctx: Context,
  segmentId: string,
): Promise<Pick<Journey, 'kind' | 'id' | 'name'>[]> =>
  (await journeysWithSegment(ctx, segmentId)).map(({ kind, id, name }) => ({ kind, id, name }));
