import { inScope } from '@loyalty/platform/database/scope-sql';
import { usesBy } from '../events/described-events.ts';
import type { EventCondition, Frequency, RecordCondition } from './condition.ts';
import { jsonValue } from './json-fields.ts';
import { daysPlace, operatorsOf, type SqlValues } from './operators.ts';

/** Retention of occurrences in days. Records are kept as long as they exist. */
export const OCCURRENCE_DAYS = 400;

/** The events that are not tracked events, by their names in conditions. */
export const conditionEvents = usesBy('condition');

/** The context of a compilation. */
export interface Compilation {
  readonly values: SqlValues;
  /** The parameter of the current time. */
  readonly now: string;
  /** Restricts the members, as SQL about a column. */
  readonly among: (column: string) => string;
  /** For few members: their occurrences are read once. */
  readonly instants?: MemberInstants | undefined;
}

/** SQL of a part of a condition. */
export interface CompiledPart {
  /** A Boolean expression, never null. */
  readonly where: string;
  /** SQL of future instants at which time alone may change the result; null if there are none. */
  readonly turns: readonly string[];
  /** The changes that time alone can cause. */
  readonly drift: Drift;
}

/**
 * The changes of a result that time alone can cause: none, from true to false, from false to true, or both.
 */
export type Drift = 'NONE' | 'TO_FALSE' | 'TO_TRUE' | 'BOTH';

/** SQL of an instant if it is in the future, else null. */
export const ifFuture = (instant: string, now: string): string =>
  `CASE WHEN ${instant} > ${now} THEN ${instant} END`;

/** The occurrences that are counted. */
interface Counted {
  readonly kind: string;
  readonly name: string;
  readonly filters: readonly string[];
  /** Days before now; null for all stored occurrences. */
  readonly days: number | null;
}

const ALWAYS: CompiledPart = { where: 'true', turns: [], drift: 'NONE' };

const isAlwaysMet = ({ operator = 'at_least', count = 1 }: Frequency): boolean =>
  operator === 'at_least' && count === 0;

/** Compiles a condition on the number of events of a member. */
export function eventPart(condition: EventCondition, to: Compilation): CompiledPart {
  if (isAlwaysMet(condition)) return ALWAYS;
  const { event, store_ids, pool_ids, within_days } = condition;
  const known = conditionEvents.get(event);
  const places = store_ids ?? pool_ids;
  if (known?.total && !places && within_days === undefined)
    return { where: compareCount(`p.${known.total}`, condition, to), turns: [], drift: 'NONE' };
  const filters = places ? [`o.place_id = ANY(${to.values.add(places, 'uuid[]')})`] : [];
  const counted = { kind: known?.kind ?? 'TRACKED', name: known ? '' : event, filters };
  return countPart({ ...counted, days: within_days ?? OCCURRENCE_DAYS }, condition, to);
}

/** Compiles a condition on the number of records that refer to the member. */
export function recordPart(condition: RecordCondition, to: Compilation): CompiledPart {
  if (isAlwaysMet(condition)) return ALWAYS;
  const parts = (condition.where ?? []).map((each) => {
    const { column, type } = jsonValue('o.data', each, to.values);
    const operand = { column, timeZone: 'p.time_zone' };
    return operatorsOf[type][each.operator]!.compile(operand, each.value, to.values, to.now);
  });
  const counted = {
    kind: 'RECORD',
    name: condition.record,
    filters: parts.map(({ where }) => `(${where}) IS TRUE`),
    days: condition.within_days ?? null,
  };
  const part = countPart(counted, condition, to);
  const turns = parts.flatMap((each) => each.turns);
  if (turns.length === 0) return part;
  // The next instant at which the result for one of the records may change.
  const instants = turns.map((turn) => ifFuture(turn, to.now));
  const records = ofMember({ ...counted, filters: [] }, to);
  const next = `(SELECT min(least(${instants.join(', ')})) FROM ${records})`;
  return { where: part.where, turns: [...part.turns, next], drift: 'BOTH' };
}

function countPart(counted: Counted, frequency: Frequency, to: Compilation): CompiledPart {
  const where = to.instants
    ? instantsWith(counted, frequency, to, to.instants)
    : membersWith(counted, frequency, to);
  if (counted.days === null) return { where, turns: [], drift: 'NONE' };
  return { where, turns: [turnOf(counted, frequency, counted.days, to)], drift: driftOf(frequency) };
}

/** With time, occurrences leave the window of days. None are added. */
function driftOf({ operator = 'at_least', count = 1 }: Frequency): Drift {
  if (operator === 'at_least') return 'TO_FALSE';
  return operator === 'at_most' || count === 0 ? 'TO_TRUE' : 'BOTH';
}

/**
 * SQL of the instant at which the deciding occurrence leaves the window. With it, the member has exactly the
 * required number, or one more. If the member has fewer, the result is null: time changes nothing.
 */
function turnOf(
  counted: Counted,
  { operator = 'at_least', count = 1 }: Frequency,
  days: number,
  to: Compilation,
): string {
  const latest = (place: number) => {
    if (to.instants) return latestInTime(counted, place, to, to.instants);
    return `(SELECT o.occurred_at FROM ${ofMember(counted, to)}
       ORDER BY o.occurred_at DESC OFFSET ${place - 1} LIMIT 1)`;
  };
  const deciding = {
    at_least: () => latest(count),
    at_most: () => latest(count + 1),
    exactly: () => (count === 0 ? latest(1) : `coalesce(${latest(count + 1)}, ${latest(count)})`),
  }[operator]();
  return `${deciding} + ${daysPlace(days, to.values)}`;
}

/**
 * SQL that counts the occurrences of all members once and then looks up each member in the result. This is
 * much faster than counting for each member.
 */
function membersWith(
  counted: Counted,
  { operator = 'at_least', count = 1 }: Frequency,
  to: Compilation,
): string {
  const having = (sign: string, than: number) => `HAVING count(*) ${sign} ${to.values.add(than, 'int')}`;
  const members = (restriction: string) =>
    `(SELECT o.member_id FROM ${occurrences(counted, to)} AND ${to.among('o.member_id')}
       ${restriction && `GROUP BY o.member_id ${restriction}`})`;
  const atLeast = (times: number) => members(times > 1 ? having('>=', times) : '');
  if (operator === 'at_least') return `p.member_id IN ${atLeast(count)}`;
  if (operator === 'at_most') return `p.member_id NOT IN ${atLeast(count + 1)}`;
  if (count === 0) return `p.member_id NOT IN ${members('')}`;
  return `p.member_id IN ${members(having('=', count))}`;
}

/**
 * SQL for a single member: the n-th latest occurrence is recent enough if there are at least n occurrences in
 * the window.
 */
function instantsWith(
  counted: Counted,
  { operator = 'at_least', count = 1 }: Frequency,
  to: Compilation,
  instants: MemberInstants,
): string {
  const hasAtLeast = (times: number) => `(${latestInTime(counted, times, to, instants)}) IS NOT NULL`;
  if (operator === 'at_least') return hasAtLeast(count);
  if (operator === 'at_most') return `NOT ${hasAtLeast(count + 1)}`;
  if (count === 0) return `NOT ${hasAtLeast(1)}`;
  return `${hasAtLeast(count)} AND NOT ${hasAtLeast(count + 1)}`;
}

function latestInTime(counted: Counted, place: number, to: Compilation, instants: MemberInstants): string {
  const at = instants.at(occurrences({ ...counted, days: null }, to), place);
  if (counted.days === null) return at;
  return `CASE WHEN ${at} > ${to.now} - ${daysPlace(counted.days, to.values)} THEN ${at} END`;
}

/** SQL of the counted occurrences of all members. */
function occurrences({ kind, name, filters, days }: Counted, { values, now }: Compilation): string {
  const conditions = [
    inScope('o'),
    `o.kind = '${kind}'::engagement."OccurrenceKind" AND o.name = ${values.add(name, 'text')}`,
    ...(days === null ? [] : [`o.occurred_at > ${now} - ${daysPlace(days, values)}`]),
    ...filters,
  ];
  return `engagement.occurrences AS o WHERE ${conditions.join(' AND ')}`;
}

const ofMember = (counted: Counted, to: Compilation): string =>
  `${occurrences(counted, to)} AND o.member_id = p.member_id`;

function compareCount(
  column: string,
  { operator = 'at_least', count = 1 }: Frequency,
  to: Compilation,
): string {
  const sign = { at_least: '>=', at_most: '<=', exactly: '=' }[operator];
  return `${column} ${sign} ${to.values.add(count, 'int')}`;
}

/**
 * The latest instants of a member's occurrences, read once for each kind of occurrences in the conditions.
 * For few members and many conditions, this is much faster than counting for each condition.
 */
export interface MemberInstants {
  /**
   * Returns SQL of the instant of the n-th latest occurrence (`place`, from 1), timestamptz; null if there
   * are fewer.
   *
   * @param occurrences - of all members, as FROM and WHERE over `o`
   */
  at(occurrences: string, place: number): string;
  /** Joins that follow `FROM engagement.profiles AS p`. */
  joins(): string;
}

/** @returns an empty collection, which is filled while conditions are compiled */
export function memberInstants(): MemberInstants {
  const placesOf = new Map<string, number>();
  const names = new Map<string, string>();
  return {
    at(occurrences, place) {
      const name = names.get(occurrences) ?? `happened${names.size + 1}`;
      names.set(occurrences, name);
      placesOf.set(occurrences, Math.max(place, placesOf.get(occurrences) ?? 0));
      return `${name}.instants[${place}]`;
    },
    joins: () =>
      [...names].map(([occurrences, name]) => joined(occurrences, name, placesOf.get(occurrences)!)).join(''),
  };
}

/** Without the OFFSET, PostgreSQL would inline the array at each place that reads it. */
const joined = (occurrences: string, name: string, places: number): string => `
   CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT o.occurred_at FROM ${occurrences} AND o.member_id = p.member_id
                    ORDER BY o.occurred_at DESC LIMIT ${places}) AS instants
      OFFSET 0) AS ${name}`;
