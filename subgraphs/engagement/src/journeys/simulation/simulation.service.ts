import { refusal } from '@loyalty/platform/caller/refusal';
import type { Context } from '@loyalty/platform/context';
import { invalid, refusedField } from '@loyalty/platform/errors';
import { NO_ID } from '@loyalty/platform/values/ids';
import { between } from '@loyalty/platform/values/input-rules';
import type { Condition } from '../../segments/conditions/condition.ts';
import { accessOfField } from '../../segments/conditions/condition-access.ts';
import { previewCondition, resolveCondition } from '../../segments/conditions/conditions.service.ts';
import { profilesAsOf } from '../../segments/profiles/profiles.service.ts';
import { checkJourney } from '../definition/check-journey.service.ts';
import type { JourneyDefinition } from '../definition/journey-definition.ts';
import { getJourney } from '../journeys/journeys.service.ts';
import { walkThrough } from './simulated-walk.ts';
import { factsOf, isInHistory } from './simulation-facts.service.ts';
import {
  type SimulatedEnd,
  type SimulatedNode,
  simulatedDuration,
  simulatedEnds,
  simulatedNode,
} from './simulation-figures.ts';

const SAMPLE_MAX = 1_000;

/** What would become of some of the members who would enter now. */
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
 * Walks some of the members who would enter now through a draft; nothing is written and nobody is contacted.
 * Goals and exits by events are not foreseen.
 *
 * @param wanted.id - of the journey whose draft it is; or else a definition is given
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

/** A definition of no journey yet splits members as a journey without an id would. */
async function draftOf(
  ctx: Context,
  { id, definition }: { readonly id?: string | null | undefined; readonly definition?: unknown },
): Promise<{ readonly journeyId: string; readonly definition: JourneyDefinition }> {
  if ((id == null) === (definition == null)) throw invalid('definition', 'must be given, or else id');
  if (id == null) return { journeyId: NO_ID, definition: await checkJourney(ctx, definition, 'definition') };
  const { draft } = await getJourney(ctx, id);
  return { journeyId: id, definition: await checkJourney(ctx, draft, 'draft') };
}

/** A wait is simulated with what members did, which asks what their history asks. */
function refuseUnreadableHistory({ caller }: Context, { nodes }: JourneyDefinition): void {
  const place = nodes.findIndex((node) => node.type === 'waitForEvent' && isInHistory(node));
  const refused = place >= 0 && refusal(caller, accessOfField('status'));
  if (refused) throw refusedField(refused, `definition.nodes[${place}].event`);
}

/** Who would enter now; by an event anybody might. */
function entrantsOf(ctx: Context, { entry, condition }: JourneyDefinition): Promise<Condition> {
  const ofSegment: Condition[] = 'segmentId' in entry ? [{ segment: entry.segmentId }] : [];
  return resolveCondition(ctx, { op: 'and', conditions: [...ofSegment, ...(condition ? [condition] : [])] });
}
