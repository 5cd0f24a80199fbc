import { namedThings } from '../../segments/conditions/named-things.ts';
import { SEGMENT_ENTERED, SEGMENT_LEFT } from './event-triggers.ts';
import type { EventTrigger, JourneyDefinition } from './journey-definition.ts';

/** All events of a definition, by their places in it. */
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

/** The segments of the entry and of events, by their places; those in conditions are checked with them. */
export function placedSegments(definition: JourneyDefinition): (readonly [place: string, id: string])[] {
  const { entry } = definition;
  const ofEvents = eventsOf(definition).flatMap(([place, { type, where }]) => {
    const wanted = [SEGMENT_ENTERED, SEGMENT_LEFT].includes(type) ? where?.['segmentId'] : undefined;
    return [wanted ?? []].flat().map((id) => [`${place}.where.segmentId`, String(id)] as const);
  });
  return [...('segmentId' in entry ? [['.entry.segmentId', entry.segmentId] as const] : []), ...ofEvents];
}

/** All segments that a definition names, each once. */
export function segmentIdsOf(definition: JourneyDefinition): string[] {
  const { condition, goal, nodes } = definition;
  const trees = [
    condition,
    goal && 'condition' in goal ? goal.condition : undefined,
    ...nodes.map((node) => (node.type === 'condition' ? node.condition : undefined)),
  ];
  const nested = trees.flatMap((tree) => [...namedThings(tree).segmentIds]);
  return [...new Set([...placedSegments(definition).map(([, id]) => id), ...nested])];
}
