import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { checkText, itemRule } from '@loyalty/platform/base/input';
import { inputRule, oneOf } from '@loyalty/platform/base/input-rules';
import type { CatalogFieldFragment, ConditionCatalogFragment } from '#generated/peers';
import { CUSTOM_PREFIX } from './compile-condition.ts';
import type { Aspect, FieldCondition } from './condition.ts';
import { fieldTypes } from './json-fields.ts';
import { memberFieldByKey } from './member-fields.ts';
import { conditionEvents, OCCURRENCE_DAYS } from './occurrence-conditions.ts';
import { checkOperand, checkWhole } from './operand-checks.ts';
import { type Operators, operatorsOf } from './operators.ts';

const DEPTH_MAX = 8;

const CONDITIONS_MAX = 100;

const WHERE_MAX = 10;

const PLACES_MAX = 500;

const COUNT_MAX = 10_000;

const NAME_LENGTH_MAX = 100;

/** Collects the aspects and segments that a tree refers to. */
export interface Found {
  readonly aspects: Set<Aspect>;
  /** Nested segments, each with the path of its first reference. */
  readonly nested: Map<string, string>;
  conditions: number;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Checks a tree and adds its references to `found`.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path of the fault
 */
export function checkTree(path: string, tree: unknown, known: KnownNames, found: Found, depth = 1): void {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree))
    throw invalid(path, 'must be an object with op, field, event, record or segment');
  found.conditions += 1;
  if (found.conditions > CONDITIONS_MAX) throw invalid(path, `is one condition more than ${CONDITIONS_MAX}`);
  const condition = tree as Json;
  const kind = kinds.find(([key]) => key in condition);
  if (!kind) throw invalid(path, 'must have one of op, field, event, record and segment');
  kind[1](path, condition, { known, found, depth });
}

interface Checking {
  readonly known: KnownNames;
  readonly found: Found;
  readonly depth: number;
}

function checkKeys(path: string, condition: Json, allowed: readonly string[]): void {
  const other = Object.keys(condition).find((key) => !allowed.includes(key));
  if (other === undefined) return;
  const name = /^\w{1,40}$/.test(other) ? `${path}.${other}` : path;
  throw invalid(name, `is not known here; there are ${allowed.join(', ')}`);
}

function checkGroup(path: string, condition: Json, to: Checking): void {
  checkKeys(path, condition, ['op', 'conditions']);
  const { op, conditions } = condition;
  if (op !== 'and' && op !== 'or' && op !== 'not') throw invalid(`${path}.op`, 'must be and, or or not');
  if (!Array.isArray(conditions)) throw invalid(`${path}.conditions`, 'must be a list of conditions');
  if (conditions.length === 0 && op !== 'and')
    throw invalid(`${path}.conditions`, 'must have at least one condition');
  if (to.depth >= DEPTH_MAX) throw invalid(path, `is nested deeper than ${DEPTH_MAX} groups`);
  gathered((check) => {
    for (const [place, each] of conditions.entries())
      check(() => checkTree(`${path}.conditions[${place}]`, each, to.known, to.found, to.depth + 1));
  });
}

function checkField(path: string, condition: Json, { known, found }: Checking): void {
  checkKeys(path, condition, ['field', 'operator', 'value']);
  const field = typeof condition['field'] === 'string' ? knownField(condition['field'], known) : null;
  if (!field)
    throw invalid(`${path}.field`, 'names no field of members; segmentFields lists those that there are');
  checkComparison(path, condition, field);
  found.aspects.add(field.aspect);
}

function checkComparison(path: string, { operator, value }: Json, { operators, options }: KnownField): void {
  const found =
    typeof operator === 'string' && Object.hasOwn(operators, operator) ? operators[operator] : null;
  if (!found) throw invalid(`${path}.operator`, oneOf(Object.keys(operators)));
  checkOperand(`${path}.value`, found.takes, value, options);
}

const FREQUENCY_KEYS = ['operator', 'count', 'within_days'];

function checkFrequency(path: string, { operator, count, within_days: days }: Json): void {
  if (operator !== undefined && !['at_least', 'at_most', 'exactly'].includes(operator as string))
    throw invalid(`${path}.operator`, oneOf(['at_least', 'at_most', 'exactly']));
  if (count !== undefined) checkWhole(`${path}.count`, count, { min: 0, max: COUNT_MAX });
  if (days !== undefined) checkWhole(`${path}.within_days`, days, { min: 1, max: OCCURRENCE_DAYS });
}

function checkEvent(path: string, condition: Json, { known, found }: Checking): void {
  const { event } = condition;
  if (typeof event !== 'string') throw invalid(`${path}.event`, 'must be the name of an event');
  checkText(`${path}.event`, event, NAME_LENGTH_MAX);
  const member = conditionEvents.get(event);
  checkKeys(path, condition, ['event', ...FREQUENCY_KEYS, ...(member ? [member.places] : [])]);
  checkFrequency(path, condition);
  found.aspects.add(member?.aspect ?? `TRACKED:${event}`);
  if (!member || condition[member.places] === undefined) return;
  const pools = (known.catalog?.pools ?? []).map(({ id }) => id);
  const existing = member.places === 'pool_ids' ? new Set(pools) : known.storeIds;
  const noun = member.places === 'pool_ids' ? 'coupon pool' : 'store';
  checkIds(`${path}.${member.places}`, condition[member.places], { existing, noun });
}

function checkIds(
  path: string,
  ids: unknown,
  { existing, noun }: { readonly existing: ReadonlySet<string>; readonly noun: string },
): void {
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > PLACES_MAX)
    throw invalid(path, `must be a list of 1 to ${PLACES_MAX} ids`);
  const place = ids.findIndex((id) => typeof id !== 'string' || !existing.has(id.toLowerCase()));
  if (place >= 0) throw invalid(`${path}[${place}]`, itemRule(ids[place], `must be the id of a ${noun}`));
}

function checkRecord(path: string, condition: Json, { known, found }: Checking): void {
  checkKeys(path, condition, ['record', 'where', ...FREQUENCY_KEYS]);
  const { record, where = [] } = condition;
  const type = known.catalog?.objectTypes.find((each) => each.type === record)?.type;
  if (!type) throw invalid(`${path}.record`, 'must be the type of a published custom object');
  checkFrequency(path, condition);
  found.aspects.add(`RECORD:${type}`);
  if (!Array.isArray(where) || where.length > WHERE_MAX)
    throw invalid(`${path}.where`, `must be a list of at most ${WHERE_MAX} conditions`);
  for (const [place, each] of where.entries()) {
    const at = `${path}.where[${place}]`;
    if (typeof each !== 'object' || each === null)
      throw invalid(at, 'must be an object with field and operator');
    checkKeys(at, each as Json, ['field', 'operator', 'value']);
    const { field: key } = each as FieldCondition;
    const field = typeof key === 'string' ? knownRecordField(type, key, known) : null;
    if (!field) throw invalid(`${at}.field`, `names no field of ${type}`);
    checkComparison(at, each as Json, field);
  }
}

function checkSegment(path: string, condition: Json, { known, found }: Checking): void {
  checkKeys(path, condition, ['segment', 'operator']);
  const { segment, operator } = condition;
  const id = typeof segment === 'string' ? segment.toLowerCase() : '';
  if (!isUuid(id) || !known.segmentIds.has(id))
    throw invalid(`${path}.segment`, inputRule('UNKNOWN', 'must be the id of a segment'));
  if (operator !== undefined && operator !== 'in' && operator !== 'not_in')
    throw invalid(`${path}.operator`, 'must be in or not_in');
  if (!found.nested.has(id)) found.nested.set(id, path);
}

const kinds = [
  ['op', checkGroup],
  ['field', checkField],
  ['event', checkEvent],
  ['record', checkRecord],
  ['segment', checkSegment],
] as const;

/** The things of the workspace that conditions may refer to. */
export interface KnownNames {
  /** Null if no condition refers to it. */
  readonly catalog: ConditionCatalogFragment | null;
  /** The existing stores among the referenced ones. */
  readonly storeIds: ReadonlySet<string>;
  readonly segmentIds: ReadonlySet<string>;
}

/** A field that a condition may use. */
export interface KnownField {
  readonly aspect: Aspect;
  readonly operators: Operators;
  /** The allowed values; null for any value. */
  readonly options: readonly string[] | null;
}

/** Returns a field of members by its key in conditions, or null. */
function knownField(key: string, { catalog, storeIds }: KnownNames): KnownField | null {
  const field = memberFieldByKey.get(key);
  if (field) {
    const named = field.names === 'TIER' ? (catalog?.tiers ?? []).map(({ id }) => id) : [...storeIds];
    const options = field.options ?? (field.names ? named : null);
    return { aspect: field.aspect, operators: operatorsOf[field.type], options };
  }
  if (!key.startsWith(CUSTOM_PREFIX)) return null;
  const custom = catalog?.customFields.find((each) => each.key === key.slice(CUSTOM_PREFIX.length));
  return custom ? { aspect: 'CUSTOM', ...jsonField(custom) } : null;
}

/** Returns a field of the records of an object type, or null. */
function knownRecordField(type: string, key: string, { catalog }: KnownNames): KnownField | null {
  const fields = catalog?.objectTypes.find((each) => each.type === type)?.fields;
  const field = fields?.find((each) => each.key === key);
  return field ? { aspect: `RECORD:${type}`, ...jsonField(field) } : null;
}

const jsonField = ({ type, options }: CatalogFieldFragment) => ({
  operators: operatorsOf[fieldTypes[type]],
  options: type === 'ENUM' || (type === 'LIST' && options.length > 0) ? options : null,
});
