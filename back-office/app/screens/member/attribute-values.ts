import type { CustomFieldsQuery } from './generated/member.ts';

export type Field = CustomFieldsQuery['customFields']['nodes'][number];

/** What an input shows for a value; a field without a value is empty. */
export function inputOf({ type }: Pick<Field, 'type'>, value: unknown): string | number | string[] {
  if (type === 'LIST') return Array.isArray(value) ? value.map(String) : [];
  if (value == null) return '';
  return type === 'NUMBER' ? Number(value) : String(value);
}

/** The value of what an input shows; null where it is empty. */
export function typedValue({ type }: Pick<Field, 'type'>, input: string | number | string[]): unknown {
  if (input === '' || (Array.isArray(input) && input.length === 0)) return null;
  if (type === 'NUMBER') return Number(input);
  return type === 'BOOLEAN' ? input === 'true' : input;
}

/** A value as text; null where there is none. */
export const shownValue = (value: unknown): string | null => {
  if (value == null) return null;
  return Array.isArray(value) ? value.join(', ') : String(value);
};
