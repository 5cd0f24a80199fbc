import { addMs } from '@loyalty/platform/base/clock';
import { invalid, refusedField } from '@loyalty/platform/base/errors';
import { NO_ID } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { refusal } from '@loyalty/platform/identity/refusal';
import type { Condition } from '../conditions/condition.ts';
import { accessOfField } from '../conditions/condition-access.ts';
import { membersMeeting, previewCondition, resolveCondition } from '../conditions/conditions.service.ts';
import { activityKinds } from '../events/described-events.ts';
import { checkJourney } from '../journeys/check-journey.service.ts';
import {
  durationMs,
  type JourneyDefinition,
  type JourneyNode,
  type WaitForEventNode,
} from '../journeys/journey-definition.ts';
import { getJourney } from '../journeys/journeys.service.ts';
import { profilesAsOf } from '../profiles/profiles.service.ts';
import { obstaclesNow } from '../sending/obstacles-now.service.ts';
import { templateToSend } from '../templates/templates.service.ts';
import { firstEvents, zonesOfMembers } from './past-events.store.ts';
import {
  type SampleFacts,
  type SimulatedEnd,
  type SimulatedNode,
  simulatedDuration,
  simulatedEnds,
  simulatedNode,
  walkThrough,
} from './simulated-walk.ts';

const SAMPLE_MAX = 1_000;

/** The simulation of a sample of the members who would enter now. */
export interface JourneySimulation {
  readonly population: number;
  readonly members: number;
  readonly asOf: Date | null;
  readonly nodes: readonly SimulatedNode[];
  readonly ends: readonly SimulatedEnd[];
  readonly messages: number;
  readonly expectedMessages: number | null;
  readonly duration: ReturnType<typeof simulatedDuration>;
}

/**
 * Simulates a draft for a sample of the members who would enter now. Nothing is written or sent. Goals and
 * exits by events are not simulated.
 *
 * @param wanted.id - of a journey whose draft is used; otherwise a definition is given
 * @param wanted.sampleSize - members, 1 to 1,000
 * @throws AppError VALIDATION_FAILED (400), SCOPE_MISSING, MODULE_DISABLED (403), JOURNEY_NOT_FOUND (404),
 * PEER_UNAVAILABLE (503)
 */
export async function simulateJourney(
  ctx: Context,
  wanted: {
    readonly id?: string | null | undefined;
    readonly definition?: unknown;
    readonly sampleSize?: number | null | undefined;
  },
): Promise<JourneySimulation> {
  const sampleSize = wanted.sampleSize ?? 200;
  if (sampleSize < 1 || sampleSize > SAMPLE_MAX) throw invalid('sampleSize', between(1, SAMPLE_MAX));
  const { journeyId, definition } = await draftOf(ctx, wanted);
  refuseUnreadableHistory(ctx, definition);
  const { count, sampleIds } = await previewCondition(ctx, await entrantsOf(ctx, definition), sampleSize);
  const facts = await factsOf(ctx, definition, journeyId, sampleIds);
  const nodeById = new Map(definition.nodes.map((node) => [node.id, node]));
  const ways = sampleIds.map((memberId) => walkThrough(definition, nodeById, memberId, facts));
  const nodes = definition.nodes.map((node) =>
    simulatedNode(node, ways, node.type === 'waitForEvent' && !isInHistory(node)),
  );
  const messages = nodes.reduce((sum, node) => sum + node.messages, 0);
  const perMember = ways.length > 0 ? messages / ways.length : 0;
  return {
    population: count,
    members: ways.length,
    asOf: await profilesAsOf(ctx),
    nodes,
    ends: simulatedEnds(ways),
    messages,
    expectedMessages: 'segmentId' in definition.entry ? Math.round(perMember * count) : null,
    duration: simulatedDuration(ways),
  };
}

/**
 * Returns the checked definition, or the checked draft of a journey. Without a journey, splits use the nil
 * UUID.
 */
async function draftOf(
  ctx: Context,
  { id, definition }: { readonly id?: string | null | undefined; readonly definition?: unknown },
): Promise<{ readonly journeyId: string; readonly definition: JourneyDefinition }> {
  if ((id == null) === (definition == null)) throw invalid('definition', 'must be given, or else id');
  if (id == null) return { journeyId: NO_ID, definition: await checkJourney(ctx, definition, 'definition') };
  const { draft } = await getJourney(ctx, id);
  return { journeyId: id, definition: await checkJourney(ctx, draft, 'draft') };
}

/** Refuses a caller without access to the history of members, because waits are simulated with it. */
function refuseUnreadableHistory({ caller }: Context, { nodes }: JourneyDefinition): void {
  const place = nodes.findIndex((node) => node.type === 'waitForEvent' && isInHistory(node));
  const refused = place >= 0 && refusal(caller, accessOfField('status'));
  if (refused) throw refusedField(refused, `definition.nodes[${place}].event`);
}

/** Returns the condition of members who would enter now. By an event, any member may enter. */
function entrantsOf(ctx: Context, { entry, condition }: JourneyDefinition): Promise<Condition> {
  const ofSegment: Condition[] = 'segmentId' in entry ? [{ segment: entry.segmentId }] : [];
  return resolveCondition(ctx, { op: 'and', conditions: [...ofSegment, ...(condition ? [condition] : [])] });
}

/** Whether the event is part of the history of members. */
const isInHistory = ({ event }: WaitForEventNode): boolean => activityKinds.has(event.type);

/** Reads the facts for a simulation: a few statements for each node. */
async function factsOf(
  ctx: Context,
  { goal, nodes }: JourneyDefinition,
  journeyId: string,
  memberIds: readonly string[],
): Promise<SampleFacts> {
  const meeting = async (condition: Condition) =>
    membersMeeting(ctx, await resolveCondition(ctx, condition), memberIds);
  return {
    journeyId,
    now: ctx.clock.now(),
    zones: await zonesOfMembers(ctx, memberIds),
    atGoal: goal && 'condition' in goal ? await meeting(goal.condition) : new Set(),
    meeting: await byNode(nodes, (node) => (node.type === 'condition' ? meeting(node.condition) : null)),
    waits: await byNode(nodes, (node) =>
      node.type === 'waitForEvent' && isInHistory(node) ? waitsAt(ctx, node, memberIds) : null,
    ),
    obstacles: await obstaclesByNode(ctx, nodes, memberIds),
  };
}

/** Runs for one node after the other, because they share one connection at most. */
async function byNode<T>(
  nodes: readonly JourneyNode[],
  read: (node: JourneyNode) => Promise<T | null> | null,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const node of nodes) {
    const value = await read(node);
    if (value !== null) found.set(node.id, value);
  }
  return found;
}

/**
 * The time of the event in the last period of the timeout's length, in ms after the beginning of the period.
 */
async function waitsAt(
  ctx: Context,
  { event, timeout }: WaitForEventNode,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const since = addMs(ctx.clock.now(), -durationMs(timeout));
  const firsts = await firstEvents(ctx, event, { memberIds, since });
  return new Map([...firsts].map(([id, at]) => [id, at.getTime() - since.getTime()]));
}

async function obstaclesByNode(
  ctx: Context,
  nodes: readonly JourneyNode[],
  memberIds: readonly string[],
): Promise<SampleFacts['obstacles']> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return byNode(nodes, (node) => {
    if (node.type !== 'email' && node.type !== 'webPush') return null;
    return (async () => {
      const channel = node.type === 'email' ? 'EMAIL' : 'WEB_PUSH';
      const category =
        node.type === 'email' ? (await templateToSend(ctx, node.templateId)).category : 'MARKETING';
      const key = `${channel} ${category}`;
      const found = known.get(key) ?? (await obstaclesNow(ctx, { channel, category }, memberIds));
      known.set(key, found);
      return found;
    })();
  });
}
