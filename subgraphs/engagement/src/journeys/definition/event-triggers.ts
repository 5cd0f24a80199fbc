import type { EventTrigger, JourneyDefinition, TriggerValue } from './journey-definition.ts';

export type TriggerRole = 'ENTRY' | 'WAIT' | 'GOAL' | 'EXIT';

export interface RoleTrigger {
  readonly role: TriggerRole;
  readonly event: EventTrigger;
}

/** Published where a member enters or leaves a segment; the payload has memberId and segmentId. */
export const SEGMENT_ENTERED = 'segment.entered';
export const SEGMENT_LEFT = 'segment.left';

/** Is it such an event? */
export const meetsTrigger = (
  { type, where = {} }: EventTrigger,
  event: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> },
): boolean =>
  event.type === type &&
  Object.entries(where).every(([field, wanted]) => meetsValue(wanted, event.payload[field]));

/** Where one of them is a list, one element is enough. */
function meetsValue(wanted: TriggerValue, value: unknown): boolean {
  if (typeof wanted === 'object') return wanted.some((one) => meetsValue(one, value));
  return Array.isArray(value) ? value.includes(wanted) : wanted === value;
}

/** All events that a definition listens to, those of its segment included. */
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
