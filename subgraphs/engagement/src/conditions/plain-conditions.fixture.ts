import type { OccurrenceRow, ProfileRow } from '../profiles/profiles.store.ts';
import type { Condition, EventCondition, FieldCondition, Frequency, RecordCondition } from './condition.ts';

/** A member in the form for the plain evaluation. */
export interface PlainMember {
  readonly profile: ProfileRow;
  readonly occurrences: readonly OccurrenceRow[];
}

const DAY_MS = 86_400_000;

/** Whether a member meets a resolved condition at an instant, evaluated without SQL. */
export function meets(condition: Condition, member: PlainMember, now: number): boolean {
  if ('op' in condition) {
    const results = condition.conditions.map((each) => meets(each, member, now));
    if (condition.op === 'and') return results.every(Boolean);
    return condition.op === 'or' ? results.some(Boolean) : !results.some(Boolean);
  }
  if ('field' in condition)
    return compares(condition, fieldValue(condition.field, member.profile), member, now);
  if ('event' in condition) return meetsEventCondition(condition, member, now);
  if ('record' in condition) return hasRecords(condition, member, now);
  throw new Error('a nested segment');
}

const names: Readonly<Record<string, keyof ProfileRow>> = { home_store: 'homeStoreId', tier: 'tierId' };
const camel = (key: string): string => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function fieldValue(field: string, profile: ProfileRow): unknown {
  if (field.startsWith('customAttributes.')) return profile.customAttributes[field.slice(17)] ?? null;
  const value = profile[names[field] ?? (camel(field) as keyof ProfileRow)];
  return value instanceof Date ? value.toISOString() : (value ?? null);
}

function compares(
  { field, operator, value }: FieldCondition,
  found: unknown,
  member: PlainMember,
  now: number,
) {
  if (field === 'birthday') return isBirthday(operator, value, found as number | null, member, now);
  const isEmpty = found === null || (Array.isArray(found) && found.length === 0);
  if (operator === 'is_set') return !isEmpty;
  if (operator === 'is_not_set') return isEmpty;
  const known = operations[operator]!;
  const zone = member.profile.timeZone;
  if (known.moment) {
    if (found === null) return false;
    const text = found as string;
    const at = /^\d{4}-\d\d-\d\d$/.test(text) ? midnight(text, zone) : Date.parse(text);
    return known.moment(at, value, now);
  }
  return known.plain!(found, value);
}

interface Operation {
  readonly plain?: (found: unknown, value: unknown) => boolean;
  readonly moment?: (at: number, value: unknown, now: number) => boolean;
}

const days = (value: unknown): number => Number(value) * DAY_MS;
const lower = (text: unknown): string => String(text).toLowerCase();
const list = (value: unknown): readonly unknown[] => (value ?? []) as readonly unknown[];
const number = (compare: (found: number, value: number) => boolean): Operation => ({
  plain: (found, value) => found !== null && compare(found as number, value as number),
});

const operations: Readonly<Record<string, Operation>> = {
  equals: { plain: (found, value) => found === value },
  not_equals: { plain: (found, value) => found !== value },
  in: { plain: (found, value) => list(value).includes(found) },
  not_in: { plain: (found, value) => !list(value).includes(found) },
  contains: { plain: (found, value) => found !== null && lower(found).includes(lower(value)) },
  starts_with: { plain: (found, value) => found !== null && lower(found).startsWith(lower(value)) },
  greater_than: number((found, value) => found > value),
  at_least: number((found, value) => found >= value),
  less_than: number((found, value) => found < value),
  at_most: number((found, value) => found <= value),
  between: {
    plain: (found, value) => {
      const [low, high] = value as [number, number];
      return found !== null && (found as number) >= low && (found as number) <= high;
    },
  },
  is_true: { plain: (found) => found === true },
  is_false: { plain: (found) => found === false },
  includes_any: { plain: (found, value) => list(value).some((each) => list(found).includes(each)) },
  includes_all: {
    plain: (found, value) => found !== null && list(value).every((each) => list(found).includes(each)),
  },
  includes_none: { plain: (found, value) => !list(value).some((each) => list(found).includes(each)) },
  before: { moment: (at, value) => at < Date.parse(value as string) },
  after: { moment: (at, value) => at >= Date.parse(value as string) },
  within_last_days: { moment: (at, value, now) => at > now - days(value) && at <= now },
  more_than_days_ago: { moment: (at, value, now) => at <= now - days(value) },
  within_next_days: { moment: (at, value, now) => at > now && at <= now + days(value) },
};

/** Returns the local day, as the start of that day in UTC. */
function localDay(now: number, timeZone: string): number {
  return Math.floor((now + offsetAt(now, timeZone)) / DAY_MS) * DAY_MS;
}

/**
 * Returns the first instant of a day in a time zone. The time zones of the test do not change clocks at
 * midnight.
 */
function midnight(day: string, timeZone: string): number {
  const utc = Date.parse(day);
  return utc - offsetAt(utc - offsetAt(utc, timeZone), timeZone);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns local time minus UTC, in ms. */
function offsetAt(at: number, timeZone: string): number {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000;
}

const isLeap = (year: number): boolean => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

function isBirthday(
  operator: string,
  value: unknown,
  birthday: number | null,
  member: PlainMember,
  now: number,
) {
  if (operator === 'is_set') return birthday !== null;
  if (operator === 'is_not_set') return birthday === null;
  if (birthday === null) return false;
  if (operator === 'in_month') return Math.floor(birthday / 100) === value;
  const from = localDay(now, member.profile.timeZone);
  const ahead = operator === 'is_today' ? 0 : (value as number);
  for (let day = 0; day <= ahead; day += 1) {
    const date = new Date(from + day * DAY_MS);
    const shown = (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
    if (shown === birthday) return true;
    if (birthday === 229 && shown === 228 && !isLeap(date.getUTCFullYear())) return true;
  }
  return false;
}

const kinds: Readonly<Record<string, string>> = {
  'order.created': 'ORDER',
  'store.visited': 'VISIT',
  'coupon.issued': 'COUPON_ISSUED',
  'coupon.redeemed': 'COUPON_REDEEMED',
};

function meetsEventCondition(
  condition: EventCondition,
  { profile, occurrences }: PlainMember,
  now: number,
): boolean {
  const { event, store_ids, pool_ids, within_days } = condition;
  const places = store_ids ?? pool_ids;
  const kind = kinds[event] ?? 'TRACKED';
  if (!places && within_days === undefined && kind === 'ORDER')
    return meetsFrequency(profile.orderCount, condition);
  if (!places && within_days === undefined && kind === 'VISIT')
    return meetsFrequency(profile.visitCount, condition);
  const since = now - (within_days ?? 400) * DAY_MS;
  const counted = occurrences.filter(
    (each) =>
      each.kind === kind &&
      (kind !== 'TRACKED' || each.name === event) &&
      Number(each.occurredAt) > since &&
      (!places || places.includes(each.placeId ?? '')),
  );
  return meetsFrequency(counted.length, condition);
}

function hasRecords(condition: RecordCondition, member: PlainMember, now: number): boolean {
  const { record, where = [], within_days } = condition;
  const counted = member.occurrences.filter(
    (each) =>
      each.kind === 'RECORD' &&
      each.name === record &&
      (within_days === undefined || Number(each.occurredAt) > now - within_days * DAY_MS) &&
      where.every((part) => {
        const data = each.data as Readonly<Record<string, unknown>> | null;
        return compares(part, data?.[part.field] ?? null, member, now);
      }),
  );
  return meetsFrequency(counted.length, condition);
}

function meetsFrequency(found: number, { operator = 'at_least', count = 1 }: Frequency): boolean {
  if (operator === 'at_least') return found >= count;
  return operator === 'at_most' ? found <= count : found === count;
}
