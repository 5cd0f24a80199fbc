import type { Cells } from '@loyalty/platform/imports/import-cells';
import { checkCustomValues, type FieldDefinition } from '../../members/custom-fields/custom-values.ts';
import { checked, type MemberRow } from './member-import.rows.ts';

/** Attributes of a row as they are stored; what is wrong is noted in its cells, field by field. */
export function attributesOf(
  cells: Cells,
  row: MemberRow,
  definitions: readonly FieldDefinition[],
): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const { key, value, field } of row.attributes) {
    const definition = definitions.find((each) => each.key === key);
    const typed = definition && typeof value === 'string' ? fromText(definition, value.trim()) : value;
    const one = checked(cells, field, () =>
      checkCustomValues('customAttributes', definition ? [definition] : [], { [key]: typed }),
    );
    Object.assign(attributes, one?.set);
  }
  return attributes;
}

/** The text of a cell as its field's type has it: true and yes, and options between | or ;. */
function fromText({ type, options }: FieldDefinition, text: string): unknown {
  if (type === 'BOOLEAN') {
    if (/^(true|yes|1)$/i.test(text)) return true;
    return /^(false|no|0)$/i.test(text) ? false : text;
  }
  if (type !== 'LIST' || options.includes(text)) return type === 'LIST' ? [text] : text;
  return text
    .split(/[|;]/)
    .map((option) => option.trim())
    .filter(Boolean);
}
