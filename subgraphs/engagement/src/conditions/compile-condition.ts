import type { Condition, FieldCondition } from './condition.ts';
import { jsonValue } from './json-fields.ts';
import { memberFieldByKey } from './member-fields.ts';
import {
  type Compilation,
  type CompiledPart,
  eventPart,
  ifFuture,
  recordPart,
} from './occurrence-conditions.ts';
import { type Operand, operatorsOf, type SqlValues } from './operators.ts';

/** Prefix of the keys of custom fields. */
export const CUSTOM_PREFIX = 'customAttributes.';

/** SQL of a resolved condition over `engagement.profiles AS p`. */
export interface CompiledCondition {
  /** A Boolean expression, never null. */
  readonly where: string;
  /**
   * The time at which the result may next change by the passage of time alone: timestamptz, null if it
   * cannot. The time is never too late. It may be too early; then the next evaluation gives the next time.
   */
  readonly recheckAt: string;
}

/**
 * Compiles a resolved condition for a workspace and mode, which are $1 and $2.
 *
 * @param options.now - the parameter of the current time, such as `$3::timestamptz`
 * @param options.among - restricts the members, as SQL about a column, such as (column) => `${column} =
 * ANY($4::uuid[])`; default: all members. It reduces the number of counted rows.
 * @param options.instants - for few members; the statement then needs its joins
 */
export function compileCondition(
  condition: Condition,
  sql: SqlValues,
  {
    now,
    among = () => 'true',
    instants,
  }: Pick<Compilation, 'now' | 'instants'> & Partial<Pick<Compilation, 'among'>>,
): CompiledCondition {
  const { where, turns } = partOf(condition, { values: sql, now, among, instants });
  return {
    where: `(${where})`,
    recheckAt: turns.length > 0 ? `least(${turns.join(', ')})` : 'NULL::timestamptz',
  };
}

function partOf(condition: Condition, to: Compilation): CompiledPart {
  if ('op' in condition) return groupPart(condition, to);
  if ('field' in condition) return fieldPart(condition, to);
  if ('event' in condition) return eventPart(condition, to);
  if ('record' in condition) return recordPart(condition, to);
  throw new Error('a nested segment was not resolved');
}

function groupPart(
  { op, conditions }: { readonly op: 'and' | 'or' | 'not'; readonly conditions: readonly Condition[] },
  to: Compilation,
): CompiledPart {
  const parts = conditions.map((each) => partOf(each, to));
  const joined = parts.map(({ where }) => `(${where})`).join(op === 'and' ? ' AND ' : ' OR ');
  const none = op === 'and' ? 'true' : 'false';
  return {
    where: op === 'not' ? `NOT (${joined || 'false'})` : joined || none,
    turns: turnsOf(op, parts, conditions),
    drift: parts.every(({ drift }) => drift === 'NONE') ? 'NONE' : 'BOTH',
  };
}

/**
 * The times at which a group may change by time alone. If one part decides the group permanently, there are
 * none, so that most members need no re-evaluation. A deciding part is evaluated twice, so nested groups are
 * not used as deciding parts.
 */
function turnsOf(
  op: 'and' | 'or' | 'not',
  parts: readonly CompiledPart[],
  conditions: readonly Condition[],
): readonly string[] {
  const turns = parts.flatMap((part) => part.turns);
  if (turns.length === 0) return [];
  // A part that time can only make false decides `and` permanently, and one that time can only make true
  // decides `or`.
  const lasting = op === 'and' ? ['NONE', 'TO_FALSE'] : ['NONE', 'TO_TRUE'];
  const deciding = parts.filter(
    ({ drift }, place) => lasting.includes(drift) && !('op' in conditions[place]!),
  );
  if (deciding.length === 0) return turns;
  const joined = deciding.map(({ where }) => `(${where})`).join(op === 'and' ? ' AND ' : ' OR ');
  const isOpen = op === 'and' ? joined : `NOT (${joined})`;
  return [`CASE WHEN ${isOpen} THEN least(${turns.join(', ')}) END`];
}

function fieldPart(condition: FieldCondition, { values, now }: Compilation): CompiledPart {
  const { operand, type } = operandOf(condition, values);
  const { where, turns } = operatorsOf[type][condition.operator]!.compile(
    operand,
    condition.value,
    values,
    now,
  );
  return {
    where: `(${where}) IS TRUE`,
    turns: turns.map((turn) => ifFuture(turn, now)),
    drift: turns.length > 0 ? 'BOTH' : 'NONE',
  };
}

function operandOf(condition: FieldCondition, sql: SqlValues) {
  const timeZone = 'p.time_zone';
  const known = memberFieldByKey.get(condition.field);
  if (known) {
    const { type, isWhole = false } = known;
    const operand: Operand = { column: known.column, isWhole, timeZone };
    return { operand, type };
  }
  const field = condition.field.slice(CUSTOM_PREFIX.length);
  const value = jsonValue('p.custom_attributes', { ...condition, field }, sql);
  return { operand: { column: value.column, timeZone }, type: value.type };
}
