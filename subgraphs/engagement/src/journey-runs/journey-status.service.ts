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
 * Publishes the draft as the version that members enter from now on. References are checked again. Has no
 * effect if the draft was launched already. At the first launch with an entry by segment, the members of the
 * segment enter.
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
    // Locks the segments until the launch commits. After that, the journey is a use, which prevents their
    // deletion.
    await checkSegments(tx, segmentIdsOf(definition), 'draft');
    if (!(await lockJourneyDraft(tx, journey))) return concurrentLaunch(tx, id);
    const number = await publishVersion(tx, { id, kind, name, definition });
    if (number === 1) await publish(tx, journeyLaunched, { journeyId: id });
    const launched = await getOwnJourney(tx, id);
    await auditJourney(tx, 'launchJourney', launched, { version });
    return launched;
  });
}

/** A concurrent launch of the same draft returns the version of the first one. */
async function concurrentLaunch(tx: Context, id: string): Promise<Journey> {
  const journey = await getOwnJourney(tx, id);
  if (journey.status === 'ENDED') throw journeyEnded();
  if (!(await isDraftChanged(tx, journey))) return journey;
  throw conflict('JOURNEY_CHANGED', 'Somebody has just changed the journey. Read it again, then launch it.');
}

/**
 * Pauses a journey. After this resolves, none of its messages leaves.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_ACTIVE (409)
 */
export async function pauseJourney(ctx: Context, id: string): Promise<Journey> {
  const paused = await change(ctx, id, { action: 'pauseJourney', from: ['ACTIVE'], to: 'PAUSED' });
  await awaitMessages(ctx, id);
  return paused;
}

/**
 * Resumes a journey. Members continue at their nodes.
 *
 * @throws AppError JOURNEY_NOT_FOUND (404), JOURNEY_NOT_PAUSED (409)
 */
export const resumeJourney = (ctx: Context, id: string): Promise<Journey> =>
  change(ctx, id, { action: 'resumeJourney', from: ['PAUSED'], to: 'ACTIVE' });

/**
 * Ends a journey permanently. After this resolves, none of its messages leaves.
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

/** Changes and audits the status. Has no effect on a journey that already has this status. */
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
 * Moves the members of one version of a journey to another version.
 *
 * @param move.nodeMap - maps nodes of the first version to nodes of the other
 * @throws AppError VALIDATION_FAILED (400), JOURNEY_NOT_FOUND, JOURNEY_VERSION_NOT_FOUND (404), JOURNEY_ENDED
 * (409)
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

/** Validates the map from nodes of one definition to nodes of the other. */
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
 * Sets the status, if it is one of `from`, in the caller's transaction. Members continue only while it is
 * ACTIVE. Waiting messages are held while it is PAUSED, and cancelled at the end. Also for automations.
 *
 * @returns false if the journey has another status or is unknown
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
  // First stops the workers that may be adding messages.
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

/** Resolves when no provider is processing a message of the journey. */
export const awaitMessages = (ctx: Context, journeyId: string): Promise<void> =>
  waitForMessages(ctx, journeyId);

/** @returns the number of moved members */
const moveRuns = (tx: Context, move: VersionMove): Promise<number> => moveRunsToVersion(tx, move);
