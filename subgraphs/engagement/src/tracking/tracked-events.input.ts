import { hash } from 'node:crypto';
import { addMs, DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { firstIdAt, isUuid, newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { midnight } from '@loyalty/platform/database/day-partitions';

/** An event as it was sent. */
export interface TrackedEventInput {
  readonly id?: string | null | undefined;
  readonly event: string;
  readonly memberId?: string | null | undefined;
  readonly anonymousId?: string | null | undefined;
  readonly occurredAt?: Date | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A valid event. */
export interface ReadEvent {
  /** The id of the event in the sender's system. */
  readonly clientId: string | null;
  readonly event: string;
  readonly memberId: string | null;
  readonly anonymousId: string | null;
  readonly occurredAt: Date;
  /** JSON text. */
  readonly properties: string | null;
  /** The product of the event. */
  readonly itemId: string | null;
}

const CLIENT_ID_LENGTH_MAX = 200;

const PROPERTIES_MAX = 20;

const PROPERTIES_BYTES_MAX = 2_048;

const AGE_MAX_MS = 7 * DAY_MS;

const AHEAD_MAX_MS = 5 * MINUTE_MS;

const EVENT_NAME = /^[a-z][a-z0-9_.]{0,63}$/;

const ANONYMOUS_ID = /^[A-Za-z0-9_.:-]{1,100}$/;

const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/;

const PHONE = /^\s*(tel:)?\s*\+[\d\s()./-]{7,24}$/i;

/** Validates an event. Returns the event, or an error sentence that begins with the field. */
export function readEvent(input: TrackedEventInput, now: Date): ReadEvent | string {
  const { id, event, memberId, anonymousId, properties } = input;
  const occurredAt = input.occurredAt ?? now;
  if (id != null && (id === '' || id.length > CLIENT_ID_LENGTH_MAX))
    return `id must have 1 to ${CLIENT_ID_LENGTH_MAX} characters`;
  if (!EVENT_NAME.test(event))
    return 'event must be at most 64 lower-case letters, digits, _ and ., and begin with a letter';
  if (memberId != null && !isUuid(memberId)) return 'memberId must be a UUID';
  if (anonymousId != null && !ANONYMOUS_ID.test(anonymousId))
    return 'anonymousId must be 1 to 100 letters, digits, _, ., : and -';
  if (occurredAt > addMs(now, AHEAD_MAX_MS)) return 'occurredAt must be at most 5 minutes ahead';
  if (occurredAt < addMs(now, -AGE_MAX_MS)) return 'occurredAt must be at most 7 days ago';
  const text = properties ? JSON.stringify(properties) : null;
  const fault = properties && propertiesFault(properties, text!);
  if (fault) return fault;
  return {
    clientId: id ?? null,
    event,
    memberId: memberId?.toLowerCase() ?? null,
    anonymousId: anonymousId ?? null,
    occurredAt,
    properties: text,
    itemId: itemOf(properties ?? {}),
  };
}

function propertiesFault(properties: Readonly<Record<string, unknown>>, text: string): string | null {
  const keys = Object.keys(properties);
  if (keys.length > PROPERTIES_MAX) return `properties must have at most ${PROPERTIES_MAX} values`;
  if (Buffer.byteLength(text) > PROPERTIES_BYTES_MAX) return 'properties must have at most 2 KiB';
  for (const key of keys) {
    // The key is not named, because the key itself is personal data.
    if (isPersonal(key)) return 'properties must not hold personal data';
    const value = properties[key];
    if (typeof value === 'object' && value !== null)
      return `properties.${key} must be text, a number, a boolean or null`;
    if (typeof value === 'string' && isPersonal(value))
      return `properties.${key} must not hold personal data`;
  }
  return null;
}

const isPersonal = (text: string): boolean => (text.includes('@') && EMAIL.test(text)) || PHONE.test(text);

const ITEM_LENGTH_MAX = 200;

function itemOf({ itemId, item_id = itemId }: Readonly<Record<string, unknown>>): string | null {
  const item = typeof item_id === 'number' ? String(item_id) : item_id;
  return typeof item === 'string' && item !== '' && item.length <= ITEM_LENGTH_MAX ? item : null;
}

/** The id of an event that is received today, and the id that it would have received yesterday. */
export interface EventIds {
  readonly id: string;
  /** Null if the sender gave no id. */
  readonly yesterdays: string | null;
}

/**
 * Returns a function that creates the ids of the events of a request: the day of receipt and a hash of the
 * sender's own id. An event that is sent again on the same day gets the same id. Browsers cannot occupy the
 * ids of servers.
 *
 * @param source - the sender; ids of different sources never collide
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
    // In the format of a UUIDv7.
    const rest = `-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
    return { id: day + rest, yesterdays: dayBefore + rest };
  };
}
