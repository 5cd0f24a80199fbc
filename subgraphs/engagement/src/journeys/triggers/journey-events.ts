import { SEGMENT_ENTERED, SEGMENT_LEFT } from '../definition/event-triggers.ts';
import type { EventTrigger, JourneyDefinition } from '../definition/journey-definition.ts';

/** The events by which members leave a journey. */
export function exitsOf({ entry, exit = [], leavesWithSegment }: JourneyDefinition): readonly EventTrigger[] {
  const events = exit.map(({ event }) => event);
  if (!leavesWithSegment || !('segmentId' in entry)) return events;
  return [...events, { type: SEGMENT_LEFT, where: { segmentId: entry.segmentId } }];
}

/** The event by which members enter a journey. */
export const entryOf = ({ entry }: JourneyDefinition): EventTrigger =>
  'event' in entry ? entry.event : { type: SEGMENT_ENTERED, where: { segmentId: entry.segmentId } };
