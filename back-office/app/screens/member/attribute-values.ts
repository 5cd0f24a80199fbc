import type { CustomFieldsQuery } from './generated/member.ts';

export type Field = CustomFieldsQuery['customFields']['nodes'][number];

/** Converts the value of a field into that of its input. No value is an empty input. */
export function inputOf({ type }: Pick<Field, 'type'>, value: unknown): string | number | string[] {
  if (type === 'LIST') return Array.isArray(value) ? value.map(String) : [];
  if (value == null) return '';
  return type === 'NUMBER' ? Number(value) : String(value);
}

/** Converts the value of an input into that of its field. Null if the input is empty. */
export function typedValue({ type }: Pick<Field, 'type'>, input: string | number | string[]): unknown {
  if (input === '' || (Array.isArray(input) && input.length === 0)) return null;
  if (type === 'NUMBER') return Number(input);
  return type === 'BOOLEAN' ? input === 'true' : input;
}

/** Returns a value as text. Null if there is no value. */
export const shownValue = (value: unknown): string | null => {
  if (value == null) return null;
  return Array.isArray(value) ? value.join(', ') : String(value);
};
