import { invalid } from '../base/errors.ts';

/** A field that a column of a file may fill. */
export interface ImportField<Name extends string = string> {
  readonly name: Name;
  /** Other names of its column; case, spaces and punctuation do not matter. */
  readonly aliases: readonly string[];
  readonly isRequired: boolean;
}

/** A field as people choose it for a column. */
export interface LabelledField<Name extends string = string> extends ImportField<Name> {
  readonly label: string;
  /** What a cell may hold. */
  readonly example: string;
}

/** A field that rows may leave out. */
export const field = <Name extends string>(name: Name, ...aliases: string[]): ImportField<Name> => ({
  name,
  aliases,
  isRequired: false,
});
/** A field that every row needs. */
export const required = <Name extends string>(name: Name, ...aliases: string[]): ImportField<Name> => ({
  name,
  aliases,
  isRequired: true,
});
/** A field with its name for people, and an example. */
export const labelled = <Name extends string>(
  of: ImportField<Name>,
  label: string,
  example: string,
): LabelledField<Name> => ({ ...of, label, example });

/** Of a name only letters and digits count. */
export const normalized = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The field that each column fills, by the name of the column; null leaves a column out. */
export type ColumnMapping = Readonly<Record<string, string | null>>;

/** Index of each field among a row's values. */
export const positionsIn = <Name extends string>(
  fields: readonly ImportField<Name>[],
): Readonly<Record<Name, number>> =>
  Object.fromEntries(fields.map(({ name }, index) => [name, index])) as Record<Name, number>;

/** The fields that a file may fill, found by any of their names. */
export interface FieldSet<Field extends ImportField = ImportField> {
  readonly fields: readonly Field[];
  /** Fields by normalized name. */
  readonly names: ReadonlyMap<string, string>;
  /** Columns such as `custom.shirt_size` fill further fields. */
  readonly takesCustom: boolean;
}

export const fieldSet = <Field extends ImportField>(
  fields: readonly Field[],
  takesCustom = false,
): FieldSet<Field> => ({
  fields,
  names: new Map(
    fields.flatMap(({ name, aliases }) => [name, ...aliases].map((each) => [normalized(each), name])),
  ),
  takesCustom,
});

/** Begins the names of further fields: `custom.shirt_size`. */
export const CUSTOM = 'custom.';
const CUSTOM_HEADER = /^custom(?:[ _]?attributes?)?[.:]\s*(\w{1,63})$/i;
const HEADER_LENGTH_MAX = 200;
const MAPPING_SIZE_MAX = 200;

/** The field that a column fills, by the mapping first and then by its own name; null where there is none. */
export function fieldOf(set: FieldSet, mapping: ColumnMapping, header: string): string | null {
  const name = header.trim();
  if (Object.hasOwn(mapping, name)) return mapping[name]!;
  const [, custom] = (set.takesCustom && CUSTOM_HEADER.exec(name)) || [];
  return custom ? CUSTOM + custom : (set.names.get(normalized(name)) ?? null);
}

/**
 * A mapping from names of columns to fields, as a client sends it.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function checkMapping(
  set: FieldSet,
  mapping: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const known: readonly string[] = set.fields.map(({ name }) => name);
  const entries = Object.entries(mapping);
  if (entries.length > MAPPING_SIZE_MAX)
    throw invalid('mapping', `must name at most ${MAPPING_SIZE_MAX} columns`);
  const checked = entries.map(([header, to]): [string, string] => {
    if (header.length > HEADER_LENGTH_MAX)
      throw invalid('mapping', `must name columns of at most ${HEADER_LENGTH_MAX} characters`);
    const target = typeof to === 'string' ? fieldOf(set, {}, to) : null;
    if (!target) {
      const more = set.takesCustom ? ' or custom.<key>' : '';
      throw invalid('mapping', `must map to ${known.join(', ')}${more}`);
    }
    return [header.trim(), target];
  });
  const twice = checked.find(([, to], index) => checked.findIndex((other) => other[1] === to) !== index);
  if (twice) throw invalid('mapping', `maps two columns to ${twice[1]}; a field takes one column`);
  return Object.fromEntries(checked);
}

/**
 * The same of a file that has arrived: null leaves a column out that has the name of a field.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export function checkRemapping(set: FieldSet, mapping: Readonly<Record<string, unknown>>): ColumnMapping {
  const [left, filled] = [new Map<string, null>(), new Map<string, unknown>()];
  for (const [header, to] of Object.entries(mapping)) {
    if (to === null) left.set(header.trim(), null);
    else filled.set(header, to);
  }
  if (left.size > MAPPING_SIZE_MAX) throw invalid('mapping', `must name at most ${MAPPING_SIZE_MAX} columns`);
  return { ...Object.fromEntries(left), ...checkMapping(set, Object.fromEntries(filled)) };
}
