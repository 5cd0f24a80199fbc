import { referencesIn } from '../conditions/named-things.ts';
import type { EventTrigger, JourneyDefinition, TriggerValue } from './journey-definition.ts';

export type TriggerRole = 'ENTRY' | 'WAIT' | 'GOAL' | 'EXIT';

export interface RoleTrigger {
  readonly role: TriggerRole;
  readonly event: EventTrigger;
}

/** Published when a member enters or leaves a segment. The payload contains memberId and segmentId. */
export const SEGMENT_ENTERED = 'segment.entered';

export const SEGMENT_LEFT = 'segment.left';

/** Whether an event matches the trigger. */
export const meetsTrigger = (
  { type, where = {} }: EventTrigger,
  event: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
): boolean =>
  event.type === type &&
  Object.entries(where).every(([field, wanted]) => meetsValue(wanted, event.payload[field]));

/** If one of the values is a list, one matching element is enough. */
function meetsValue(wanted: TriggerValue, value: unknown): boolean {
  if (typeof wanted === 'object') return wanted.some((one) => meetsValue(one, value));
  return Array.isArray(value) ? value.includes(wanted) : wanted === value;
}

/** Returns all events that a definition listens to, including those of its segment. */
export function triggersOf(definition: JourneyDefinition): readonly RoleTrigger[] {
  const { entry, goal, exit = [], leavesWithSegment, nodes } = definition;
  const ofSegment = (type: string, segmentId: string): EventTrigger => ({ type, where: { segmentId } });
  const triggers: RoleTrigger[] = [
    { role: 'ENTRY', event: 'event' in entry ? entry.event : ofSegment(SEGMENT_ENTERED, entry.segmentId) },
  ];
  if (leavesWithSegment && 'segmentId' in entry)
    triggers.push({ role: 'EXIT', event: ofSegment(SEGMENT_LEFT, entry.segmentId) });
  for (const { event } of exit) triggers.push({ role: 'EXIT', event });
  if (goal && 'event' in goal) triggers.push({ role: 'GOAL', event: goal.event });
  for (const node of nodes)
    if (node.type === 'waitForEvent') triggers.push({ role: 'WAIT', event: node.event });
  return triggers;
}

/** Returns the events by which members leave a journey. */
export function exitsOf({ entry, exit = [], leavesWithSegment }: JourneyDefinition): readonly EventTrigger[] {
  const events = exit.map(({ event }) => event);
  if (!leavesWithSegment || !('segmentId' in entry)) return events;
  return [...events, { type: SEGMENT_LEFT, where: { segmentId: entry.segmentId } }];
}

/** Returns the event by which members enter a journey. */
export const entryOf = ({ entry }: JourneyDefinition): EventTrigger =>
  'event' in entry ? entry.event : { type: SEGMENT_ENTERED, where: { segmentId: entry.segmentId } };

/** Returns all events of a definition with their paths. */
export function eventsOf({
  entry,
  goal,
  exit = [],
  nodes,
}: JourneyDefinition): (readonly [place: string, event: EventTrigger])[] {
  return [
    ...('event' in entry ? [['.entry.event', entry.event] as const] : []),
    ...(goal && 'event' in goal ? [['.goal.event', goal.event] as const] : []),
    ...exit.map(({ event }, index) => [`.exit[${index}].event`, event] as const),
    ...nodes.flatMap((node, index) =>
      node.type === 'waitForEvent' ? [[`.nodes[${index}].event`, node.event] as const] : [],
    ),
  ];
}

/**
 * Returns the segments of the entry and of events with their paths. Segments in conditions are checked with
 * the conditions.
 */
export function placedSegments(definition: JourneyDefinition): (readonly [place: string, id: string])[] {
  const { entry } = definition;
  const ofEvents = eventsOf(definition).flatMap(([place, { type, where }]) => {
    const wanted = [SEGMENT_ENTERED, SEGMENT_LEFT].includes(type) ? where?.['segmentId'] : undefined;
    return [wanted ?? []].flat().map((id) => [`${place}.where.segmentId`, String(id)] as const);
  });
  return [...('segmentId' in entry ? [['.entry.segmentId', entry.segmentId] as const] : []), ...ofEvents];
}

/** Returns all segments of a definition, without duplicates. */
export function segmentIdsOf(definition: JourneyDefinition): string[] {
  const { condition, goal, nodes } = definition;
  const trees = [
    condition,
    goal && 'condition' in goal ? goal.condition : undefined,
    ...nodes.map((node) => (node.type === 'condition' ? node.condition : undefined)),
  ];
  const nested = trees.flatMap((tree) => [...referencesIn(tree).segmentIds]);
  return [...new Set([...placedSegments(definition).map(([, id]) => id), ...nested])];
}
