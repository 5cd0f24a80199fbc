import { hash } from 'node:crypto';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { midnight } from '@loyalty/platform/operations/day-partitions';
import { firstIdAt, newId } from '@loyalty/platform/values/ids';

/** The id of an event that is received today, and the one that it would have got yesterday. */
export interface EventIds {
  readonly id: string;
  /** Null where the sender gave none. */
  readonly yesterdays: string | null;
}

/**
 * Ids for the events of one request: the day of receipt and a hash of the sender's own id, so that an event
 * that is sent again on the same day gets the same id. Browsers cannot take the ids of servers.
 *
 * @param source - who sends: their ids are apart from those of others
 */
export function eventIdsOf(
  ctx: Context,
  source: 'browser' | 'server',
): (clientId: string | null) => EventIds {
  const today = midnight(ctx.clock.now());
  const [day, dayBefore] = [today, addMs(today, -DAY_MS)].map((each) => firstIdAt(each).slice(0, 13));
  return (clientId) => {
    if (clientId === null) return { id: newId(ctx.clock), yesterdays: null };
    const digits = hash('sha256', `${source}:${clientId}`, 'hex');
    // In the form of a UUIDv7.
    const rest = `-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
    return { id: day + rest, yesterdays: dayBefore + rest };
  };
}
