import { type BackboneEvent, EVENTS_MAX } from './event-signals.ts';

const EVENTS_MIN = 3;
const SHAPE = "must be a JSON array of [unix_seconds,'buy' or 'pv',0,0]";

/**
 * Parses the events of one sample from the JSON of its cell.
 *
 * @param asOf - milliseconds since 1970; all events must be before it; NaN if it is not known
 * @returns no events if there is an issue
 * @remarks Source: model API, section 2 "Alignment version"; requirement M-ALN-03
 */
export function readEvents(
  cell: string,
  asOf: number,
): { readonly events: readonly BackboneEvent[]; readonly issue: string | null } {
  const items = parsed(cell);
  if (!items) return { events: [], issue: SHAPE };
  if (items.length < EVENTS_MIN || items.length > EVENTS_MAX)
    return { events: [], issue: `has ${items.length} events, ${EVENTS_MIN} to ${EVENTS_MAX} are needed` };
  const events: BackboneEvent[] = [];
  for (const [place, item] of items.entries()) {
    const event = readEvent(item);
    const name = `event ${place + 1}`;
    if (!event) return { events: [], issue: `${SHAPE}; ${name} is not` };
    if (event.ms < (events.at(-1)?.ms ?? event.ms))
      return { events: [], issue: `${name} lies before the one before it` };
    if (event.ms >= asOf) return { events: [], issue: `${name} does not lie before as_of` };
    events.push(event);
  }
  return { events, issue: null };
}

function parsed(cell: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function readEvent(item: unknown): BackboneEvent | null {
  if (!Array.isArray(item) || item.length !== 4) return null;
  const [seconds, type, third, fourth] = item as unknown[];
  const isTime = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0;
  if (!isTime || third !== 0 || fourth !== 0) return null;
  if (type !== 'buy' && type !== 'pv') return null;
  return { ms: seconds * 1_000, type };
}
