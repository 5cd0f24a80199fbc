import { conflict, invalid } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publishEnd } from '@loyalty/platform/subscriptions/publish-progress';
import { publish } from '@loyalty/platform/work/events';
import { checkJourney } from '../journeys/check-journey.service.ts';
import { auditJourney, getOwnJourney } from '../journeys/edit-journey.service.ts';
import { segmentIdsOf } from '../journeys/event-triggers.ts';
import type { JourneyDefinition } from '../journeys/journey-definition.ts';
import { journeyLaunched } from '../journeys/journeys.events.ts';
import {
  isDraftChanged,
  type Journey,
  type JourneyStatus,
  journeyEnded,
  lockJourneyDraft,
  publishVersion,
  setJourneyStatus,
  versionOf,
} from '../journeys/journeys.service.ts';
import {
  cancelMessages,
  holdMessages,
  releaseMessages,
  waitForMessages,
} from '../messages/source-messages.service.ts';
import { checkSegments } from '../segments/segments.service.ts';
import { endAllRuns, moveRunsToVersion, resumeRuns, stopRuns } from './run-control.service.ts';
import type { VersionMove } from './run-control.store.ts';

/**
 * Makes the draft the version that members enter from now on; what it refers to is checked again. A draft
 * that was launched already changes nothing. The first launch of an entry by segment lets those in who are in
 * it.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the place below `draft`, JOURNEY_NOT_FOUND,
 * SEGMENT_NOT_FOUND (404), JOURNEY_ENDED, JOURNEY_CHANGED (409), PEER_UNAVAILABLE (503)
 */
export async function launchJourney(ctx: Context, id: string): Promise<Journey> {
  const journey = await getOwnJourney(ctx, id);
  const { kind, name, draft, version, status } = journey;
  if (status === 'ENDED') throw journeyEnded();
  if (version !== null && !(await isDraftChanged(ctx, journey))) return journey;
  const definition = await checkJourney(ctx, draft, 'draft', { isStored: true });
  return ctx.transaction(async (tx) => {
    // Nobody deletes them until the launch is kept; then it is a use of theirs.
    await checkSegments(tx, segmentIdsOf(definition), 'draft');
    if (!(await lockJourneyDraft(tx, journey))) return launchedMeanwhile(tx, id);
    const number = await publishVersion(tx, { id, kind, name, definition });
    if (number === 1) await publish(tx, journeyLaunched, { journeyId: id });
    const launched = await getOwnJourney(tx, id);
    await auditJourney(tx, 'launchJourney', launched, { version });
    return launched;
  });
}

/** Who launches the same draft at the same time gets the version of the first. */
async function launchedMeanwhile(tx: Context, id: string): Promise<Journey> {
  const journey = await getOwnJourney(tx, id);
  if (journey.status === 'ENDED') throw journeyEnded();
  if (!(await isDraftChanged(tx, journey))) return journey;
  throw conflict('JOURNEY_CHANGED', 'Somebody has just changed the journey. Read it again, then launch it.');
}

/**
 * Stops a journey for a time; once this has answered, none of its messages leaves.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_ACTIVE (409)
 */
export async function pauseJourney(ctx: Context, id: string): Promise<Journey> {
  const paused = await change(ctx, id, { action: 'pauseJourney', from: ['ACTIVE'], to: 'PAUSED' });
  await awaitMessages(ctx, id);
  return paused;
}

/**
 * Lets members go on where they stand.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_PAUSED (409)
 */
export const resumeJourney = (ctx: Context, id: string): Promise<Journey> =>
  change(ctx, id, { action: 'resumeJourney', from: ['PAUSED'], to: 'ACTIVE' });

/**
 * Ends a journey for good; once this has answered, none of its messages leaves.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_LAUNCHED (409)
 */
export async function endJourney(ctx: Context, id: string): Promise<Journey> {
  const ended = await change(ctx, id, { action: 'endJourney', from: ['ACTIVE', 'PAUSED'], to: 'ENDED' });
  await awaitMessages(ctx, id);
  return ended;
}

interface StatusChange {
  readonly action: string;
  readonly from: readonly JourneyStatus[];
  readonly to: 'ACTIVE' | 'PAUSED' | 'ENDED';
}

/** A journey that has the status already stays as it is. */
async function change(ctx: Context, id: string, { action, from, to }: StatusChange): Promise<Journey> {
  const before = await getOwnJourney(ctx, id);
  if (before.status === to && before.version !== null) return before;
  return ctx.transaction(async (tx) => {
    if (!(await changeJourneyStatus(tx, id, { from, to })))
      throw wrongStatus(await getOwnJourney(tx, id), to);
    const after = await getOwnJourney(tx, id);
    await auditJourney(tx, action, after, { status: before.status });
    publishEnd(tx, 'journey', id);
    return after;
  });
}

function wrongStatus({ status }: Journey, to: StatusChange['to']) {
  if (status === 'ENDED') return journeyEnded();
  if (to === 'ENDED') return conflict('JOURNEY_NOT_LAUNCHED', 'The journey is a draft. Delete it instead.');
  const [code, wanted] =
    to === 'PAUSED'
      ? (['JOURNEY_NOT_ACTIVE', 'active'] as const)
      : (['JOURNEY_NOT_PAUSED', 'paused'] as const);
  return conflict(code, `The journey is ${status.toLowerCase()}; it must be ${wanted}.`);
}

/**
 * Moves the members who stand in one version of a journey to another.
 *
 * @param move.nodeMap - of nodes of the first version, the nodes of the other at which members stand then
 * @throws AppError VALIDATION_FAILED (400), JOURNEY_NOT_FOUND, JOURNEY_VERSION_NOT_FOUND (404),
 * JOURNEY_ENDED (409)
 */
export async function moveJourneyMembers(
  ctx: Context,
  id: string,
  move: {
    readonly fromVersion: number;
    readonly toVersion: number;
    readonly nodeMap?: Readonly<Record<string, unknown>> | null | undefined;
  },
): Promise<{ readonly members: number }> {
  const { fromVersion, toVersion } = move;
  const { status } = await getOwnJourney(ctx, id);
  if (status === 'ENDED') throw journeyEnded();
  if (fromVersion === toVersion) throw invalid('toVersion', 'must differ from fromVersion');
  const from = await versionOf(ctx, id, fromVersion);
  const to = await versionOf(ctx, id, toVersion);
  const nodeMap = checkNodeMap(move.nodeMap, from.definition, to.definition);
  return ctx.transaction(async (tx) => {
    const members = await moveRuns(tx, { journeyId: id, fromVersion, toVersion, nodeMap });
    const after = { fromVersion, toVersion, members };
    await audit(tx, { action: 'moveJourneyMembers', resourceType: 'Journey', resourceId: id, after });
    return { members };
  });
}

/** Where each node of the one definition leads to in the other. */
function checkNodeMap(
  given: Readonly<Record<string, unknown>> | null | undefined,
  from: JourneyDefinition,
  to: JourneyDefinition,
): Readonly<Record<string, string>> {
  const [known, targets] = [new Set(from.nodes.map(({ id }) => id)), new Set(to.nodes.map(({ id }) => id))];
  const map = new Map(Object.entries(given ?? {}));
  for (const [node, target] of map) {
    if (!known.has(node)) throw invalid(`nodeMap.${node}`, 'is no node of fromVersion');
    if (typeof target !== 'string' || !targets.has(target))
      throw invalid(`nodeMap.${node}`, 'must be the id of a node of toVersion');
  }
  const missing = [...known].find((node) => !map.has(node) && !targets.has(node));
  if (missing) throw invalid(`nodeMap.${missing}`, 'must be given: toVersion has no such node');
  return Object.fromEntries([...known].map((node) => [node, (map.get(node) as string | undefined) ?? node]));
}

/**
 * Sets the status, if it is one of `from`, in the caller's transaction: members go on no more unless it is
 * ACTIVE, messages that wait are held while it is PAUSED, and an end cancels them. For automations too.
 *
 * @returns false where the status is another one, or the journey unknown
 */
export async function changeJourneyStatus(
  tx: Context,
  id: string,
  change: { readonly from: readonly JourneyStatus[]; readonly to: 'ACTIVE' | 'PAUSED' | 'ENDED' },
): Promise<boolean> {
  if (!(await setJourneyStatus(tx, id, change))) return false;
  if (change.to === 'PAUSED') await holdRuns(tx, id);
  if (change.to === 'ACTIVE') await releaseRuns(tx, id);
  if (change.to === 'ENDED') await cancelRuns(tx, id);
  return true;
}

async function holdRuns(tx: Context, journeyId: string): Promise<void> {
  // First the workers that may be adding messages.
  await stopRuns(tx, journeyId);
  await holdMessages(tx, journeyId);
}

async function releaseRuns(tx: Context, journeyId: string): Promise<void> {
  await resumeRuns(tx, journeyId);
  await releaseMessages(tx, journeyId);
}

async function cancelRuns(tx: Context, journeyId: string): Promise<void> {
  await endAllRuns(tx, journeyId);
  await cancelMessages(tx, journeyId);
}

/** Resolves once none of its messages is in a provider's hands. */
export const awaitMessages = (ctx: Context, journeyId: string): Promise<void> =>
  waitForMessages(ctx, journeyId);

/** @returns how many members were moved */
const moveRuns = (tx: Context, move: VersionMove): Promise<number> => moveRunsToVersion(tx, move);
