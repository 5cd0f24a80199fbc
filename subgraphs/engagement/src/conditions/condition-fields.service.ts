import type { Context } from '@loyalty/platform/context';
import type { ConditionCatalogFragment } from '#generated/peers';
import { findConditionCatalog } from '../peers.ts';
import { CUSTOM_PREFIX } from './compile-condition.ts';
import { accessOfEvent, accessOfField, accessOfRecords, isAccessible } from './condition-access.ts';
import { fieldTypes } from './json-fields.ts';
import { type MemberField, memberFields } from './member-fields.ts';
import { conditionEvents } from './occurrence-conditions.ts';
import { type FieldType, type OperandType, operatorsOf } from './operators.ts';

/** A field that conditions may use, in the form for an editor. */
export interface ConditionField {
  /** The key in conditions. */
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly operators: readonly ConditionOperator[];
  /** The allowed values; null for any value, or for the ids of `valuesOf`. */
  readonly options: readonly ConditionOption[] | null;
  /** The noun whose ids are the values, if there are too many to list. */
  readonly valuesOf: 'STORE' | null;
}

export interface ConditionOperator {
  readonly key: string;
  readonly label: string;
  readonly valueType: OperandType;
}

export interface ConditionOption {
  readonly value: string;
  readonly label: string;
}

/** An object type whose records conditions may count. */
export interface ConditionObject {
  readonly key: string;
  readonly label: string;
  readonly fields: readonly ConditionField[];
}

/**
 * Returns the fields of members, custom fields, and custom objects with their fields that conditions may use
 * in the workspace.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function conditionFields(
  ctx: Context,
): Promise<{ readonly fields: readonly ConditionField[]; readonly objects: readonly ConditionObject[] }> {
  const catalog = await findConditionCatalog(ctx);
  const custom = catalog.customFields.map((field) => jsonFieldOf(`${CUSTOM_PREFIX}${field.key}`, field));
  const objects = catalog.objectTypes.map(({ type, label, fields }) => ({
    key: type,
    label,
    fields: fields.map((field) => jsonFieldOf(field.key, field)),
  }));
  return { fields: [...memberFields.map((field) => memberFieldOf(field, catalog)), ...custom], objects };
}

const operatorList = (type: FieldType): ConditionOperator[] =>
  Object.entries(operatorsOf[type]).map(([key, { label, takes }]) => ({ key, label, valueType: takes }));

const optionsOf = (values: readonly string[]): ConditionOption[] =>
  values.map((value) => ({ value, label: value }));

function memberFieldOf(
  { key, label, type, options, names }: MemberField,
  { tiers }: ConditionCatalogFragment,
): ConditionField {
  const ofTier = names === 'TIER' ? tiers.map(({ id, name }) => ({ value: id, label: name })) : null;
  return {
    key,
    label,
    type,
    operators: operatorList(type),
    options: options ? optionsOf(options) : ofTier,
    valuesOf: names === 'STORE' ? 'STORE' : null,
  };
}

function jsonFieldOf(key: string, field: ConditionCatalogFragment['customFields'][number]): ConditionField {
  const type = fieldTypes[field.type];
  const options = field.options.length > 0 ? optionsOf(field.options) : null;
  return { key, label: field.label, type, operators: operatorList(type), options, valuesOf: null };
}

/** An event of members that conditions may count, in the form for an editor. */
export interface ConditionEvent {
  readonly key: string;
  readonly label: string;
  readonly placesOf: 'STORE' | 'COUPON_POOL';
}

const events = [...conditionEvents].map(
  ([key, { label, places }]): ConditionEvent => ({
    key,
    label,
    placesOf: places === 'store_ids' ? 'STORE' : 'COUPON_POOL',
  }),
);

/** The fields, events and objects that conditions may use in the workspace. */
export interface SegmentFields {
  readonly fields: readonly ConditionField[];
  readonly events: readonly ConditionEvent[];
  readonly records: readonly ConditionObject[];
}

/** Returns everything that conditions of the caller may use. @throws AppError PEER_UNAVAILABLE (503) */
export async function listSegmentFields(ctx: Context): Promise<SegmentFields> {
  const { fields, objects } = await conditionFields(ctx);
  return {
    fields: fields.filter(({ key }) => isAccessible(ctx.caller, accessOfField(key))),
    events: events.filter(({ key }) => isAccessible(ctx.caller, accessOfEvent(key))),
    records: isAccessible(ctx.caller, accessOfRecords()) ? objects : [],
  };
}
