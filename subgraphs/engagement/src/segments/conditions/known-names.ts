import type { CatalogFieldFragment, ConditionCatalogFragment } from '#generated/peers';
import { operatorsOf } from '../fields/field-types.ts';
import { fieldTypes } from '../fields/json-fields.ts';
import { memberFieldByKey } from '../fields/member-fields.ts';
import type { Operators } from '../fields/operators.ts';
import { CUSTOM_PREFIX } from './compile-condition.ts';
import type { Aspect } from './condition.ts';

/** What exists in the workspace that conditions may name. */
export interface KnownNames {
  /** Null where no condition names anything of it. */
  readonly catalog: ConditionCatalogFragment | null;
  /** Those of the stores and segments in question that exist. */
  readonly storeIds: ReadonlySet<string>;
  readonly segmentIds: ReadonlySet<string>;
}

/** A field as a condition may use it. */
export interface KnownField {
  readonly aspect: Aspect;
  readonly operators: Operators;
  /** The only values that there are; null: any. */
  readonly options: readonly string[] | null;
}

/** A field of members by the name in a condition; null where there is none. */
export function knownField(key: string, { catalog, storeIds }: KnownNames): KnownField | null {
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

/** A field of the records of an object type; null where there is none. */
export function knownRecordField(type: string, key: string, { catalog }: KnownNames): KnownField | null {
  const fields = catalog?.objectTypes.find((each) => each.type === type)?.fields;
  const field = fields?.find((each) => each.key === key);
  return field ? { aspect: `RECORD:${type}`, ...jsonField(field) } : null;
}

const jsonField = ({ type, options }: CatalogFieldFragment) => ({
  operators: operatorsOf[fieldTypes[type]],
  options: type === 'ENUM' || (type === 'LIST' && options.length > 0) ? options : null,
});
