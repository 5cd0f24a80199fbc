import type { CatalogFieldFragment } from '#generated/peers';
import { type FieldType, operatorsOf, type SqlValues } from './operators.ts';

/** The field type in conditions for each type of custom field or record field. */
export const fieldTypes: Readonly<Record<CatalogFieldFragment['type'], FieldType>> = {
  TEXT: 'TEXT',
  NUMBER: 'NUMBER',
  DATE: 'MOMENT',
  DATETIME: 'MOMENT',
  BOOLEAN: 'FLAG',
  ENUM: 'KEYWORD',
  LIST: 'SET',
  MEMBER_REF: 'KEYWORD',
  RECORD_REF: 'KEYWORD',
  URL: 'TEXT',
  EMAIL: 'TEXT',
};

/** The type is determined by the operator if only one type has it, else by the value. */
function typeOf(operator: string, value: unknown): FieldType {
  const types: FieldType[] = ['TEXT', 'NUMBER', 'FLAG', 'SET', 'MOMENT'];
  const able = types.filter((type) => Object.hasOwn(operatorsOf[type], operator));
  return (able.includes('NUMBER') && typeof value === 'number' ? 'NUMBER' : able[0])!;
}

const DAY = `'^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$'`;
const INSTANT = `'^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T'`;

/**
 * Returns SQL of a value in a JSON object, in the form for the operator, and its type. A value of another
 * JSON type and an empty list count as no value.
 *
 * @param object - SQL of the object: `p.custom_attributes`
 */
export function jsonValue(
  object: string,
  { field, operator, value }: { readonly field: string; readonly operator: string; readonly value?: unknown },
  sql: SqlValues,
): { readonly column: string; readonly type: FieldType } {
  const place = sql.add(field, 'text');
  const [json, text] = [`(${object} -> ${place})`, `(${object} ->> ${place})`];
  if (operator === 'is_set' || operator === 'is_not_set')
    return { type: 'TEXT', column: `(CASE WHEN ${json} <> '[]' THEN ${text} END)` };
  const type = typeOf(operator, value);
  switch (type) {
    case 'NUMBER':
      return { type, column: `(CASE jsonb_typeof(${json}) WHEN 'number' THEN ${text}::numeric END)` };
    case 'FLAG':
      return { type, column: `(CASE jsonb_typeof(${json}) WHEN 'boolean' THEN ${text}::boolean END)` };
    case 'SET':
      return {
        type,
        column: `(CASE jsonb_typeof(${json}) WHEN 'array'
                    THEN ARRAY(SELECT jsonb_array_elements_text(${json})) END)`,
      };
    case 'MOMENT':
      return {
        type,
        column: `(CASE WHEN ${text} ~ ${DAY} THEN ${text}::timestamp AT TIME ZONE p.time_zone
                    WHEN ${text} ~ ${INSTANT} THEN ${text}::timestamptz END)`,
      };
    default:
      return { type, column: text };
  }
}
