import { CUSTOM_PREFIX } from './compile-condition.ts';
import type { Aspect, Condition } from './condition.ts';
import { memberFieldByKey } from './member-fields.ts';
import { conditionEvents } from './occurrence-conditions.ts';

/** The references of a tree that must be looked up before it is checked. */
export interface References {
  needsCatalog: boolean;
  readonly storeIds: Set<string>;
  readonly segmentIds: Set<string>;
}

/** Collects the references of a tree, also of an invalid one. The depth of JSON limits the recursion. */
export function referencesIn(tree: unknown, named: References = empty()): References {
  if (Array.isArray(tree)) for (const each of tree) referencesIn(each, named);
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return named;
  const { field, record, pool_ids, store_ids, segment, value, conditions } = tree as Readonly<
    Record<Key, unknown>
  >;
  const known = typeof field === 'string' ? memberFieldByKey.get(field) : undefined;
  const isCustom = typeof field === 'string' && field.startsWith(CUSTOM_PREFIX);
  if (isCustom || record !== undefined || pool_ids !== undefined || known?.names === 'TIER')
    named.needsCatalog = true;
  if (known?.names === 'STORE') addTexts(named.storeIds, value);
  addTexts(named.storeIds, store_ids);
  addTexts(named.segmentIds, segment);
  referencesIn(conditions, named);
  return named;
}

type Key = 'field' | 'record' | 'pool_ids' | 'store_ids' | 'segment' | 'value' | 'conditions';

const empty = (): References => ({ needsCatalog: false, storeIds: new Set(), segmentIds: new Set() });

function addTexts(texts: Set<string>, value: unknown): void {
  for (const each of Array.isArray(value) ? value : [value])
    if (typeof each === 'string') texts.add(each.toLowerCase());
}

/** Returns the aspects that a resolved condition reads. */
export function aspectsOf(condition: Condition): ReadonlySet<Aspect> {
  return new Set(listed(condition));
}

function listed(condition: Condition): Aspect[] {
  if ('op' in condition) return condition.conditions.flatMap(listed);
  if ('field' in condition) return [memberFieldByKey.get(condition.field)?.aspect ?? 'CUSTOM'];
  if ('record' in condition) return [`RECORD:${condition.record}`];
  if (!('event' in condition)) throw new Error('a nested segment was not resolved');
  const { event } = condition;
  return [conditionEvents.get(event)?.aspect ?? `TRACKED:${event}`];
}
