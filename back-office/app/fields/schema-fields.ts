/** A JSON Schema as the API returns it. Each keyword is checked when it is read. */
export type JsonSchema = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
  /** Path of the field's names, the outermost first: the key of its value in the form. */
  readonly key: string;
  readonly label: string;
  readonly description: string | null;
  readonly isRequired: boolean;
  /** Is null a valid value? */
  readonly isNullable: boolean;
  /** The initial value of the input. Undefined: empty. */
  readonly initial: unknown;
}

interface Size {
  readonly least: number | null;
  readonly most: number | null;
}

/** The formats that have an input or a rule of their own. For other formats only the pattern counts. */
export type TextFormat = 'uuid' | 'date' | 'date-time';

export type SchemaField = Named &
  (
    | {
        readonly kind: 'text';
        readonly format: TextFormat | null;
        readonly length: Size;
        readonly pattern: string | null;
      }
    | { readonly kind: 'number'; readonly isWhole: boolean; readonly range: Size }
    | { readonly kind: 'choice'; readonly options: readonly unknown[] }
    | { readonly kind: 'flag' }
    /** The value is constant. */
    | { readonly kind: 'fixed'; readonly value: unknown }
    | { readonly kind: 'texts'; readonly count: Size; readonly length: Size }
    | { readonly kind: 'group'; readonly fields: readonly SchemaField[] }
    /** A schema that no other kind supports. */
    | { readonly kind: 'json' }
  );

interface Around {
  readonly key: string;
  /** Is the group optional? Then its fields begin empty, because one value would make the group present. */
  readonly isOptional: boolean;
}

/**
 * Returns the fields of a form for an object, in the order of its schema: texts, numbers, choices, flags,
 * lists of texts, and objects of these. Everything else becomes a field for JSON.
 */
export function fieldsOf(
  schema: JsonSchema,
  { key, isOptional }: Around = { key: '', isOptional: false },
): SchemaField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(objectIn(schema['properties']) ?? {}).map(([name, property]) => {
    const { schema: own, isNullable } = withoutNull(objectIn(property) ?? {});
    const isRequired = required.includes(name);
    const named: Named = {
      name,
      key: `${key}${key && '/'}${escaped(name)}`,
      label: textIn(own['title']) ?? readable(name),
      description: textIn(own['description']),
      isRequired,
      isNullable,
      initial: isOptional ? undefined : own['default'],
    };
    return fieldOf(named, own, isOptional || !isRequired);
  });
}

function fieldOf(named: Named, schema: JsonSchema, isOptional: boolean): SchemaField {
  const { type, enum: options, items } = schema;
  if (STRUCTURAL.some((keyword) => keyword in schema)) return { ...named, kind: 'json' };
  if ('const' in schema)
    return named.isRequired
      ? { ...named, kind: 'fixed', value: schema['const'] }
      : { ...named, kind: 'choice', options: [schema['const']] };
  if (Array.isArray(options)) return { ...named, kind: 'choice', options };
  if (type === 'string') return { ...named, ...textOf(schema) };
  if (type === 'integer' || type === 'number')
    return { ...named, kind: 'number', isWhole: type === 'integer', range: sizeIn(schema, 'imum') };
  if (type === 'boolean') return { ...named, kind: 'flag' };
  const item = objectIn(items);
  if (type === 'array' && item?.['type'] === 'string' && !('enum' in item))
    return { ...named, kind: 'texts', count: sizeIn(schema, 'Items'), length: sizeIn(item, 'Length') };
  if (type === 'object' && objectIn(schema['properties']))
    return { ...named, kind: 'group', fields: fieldsOf(schema, { key: named.key, isOptional }) };
  return { ...named, kind: 'json' };
}

/** Keywords that no single input can express. */
const STRUCTURAL = ['$ref', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'patternProperties'];
const FORMATS: readonly unknown[] = ['uuid', 'date', 'date-time'] satisfies TextFormat[];

const textOf = (schema: JsonSchema) => ({
  kind: 'text' as const,
  format: FORMATS.includes(schema['format']) ? (schema['format'] as TextFormat) : null,
  length: sizeIn(schema, 'Length'),
  pattern: textIn(schema['pattern']),
});

const sizeIn = (schema: JsonSchema, of: 'imum' | 'Items' | 'Length'): Size => ({
  least: numberIn(schema[`min${of}`]),
  most: numberIn(schema[`max${of}`]),
});

/** Removes null from the types of a schema. */
function withoutNull(schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const others = anyOf.map((each) => objectIn(each) ?? {}).filter((each) => each['type'] !== 'null');
    if (others.length === 1 && anyOf.length === 2)
      return { schema: { ...others[0], ...rest }, isNullable: true };
  }
  if (Array.isArray(type) && type.includes('null') && type.length === 2)
    return { schema: { ...rest, type: type.find((each) => each !== 'null') }, isNullable: true };
  return { schema, isNullable: false };
}

const objectIn = (value: unknown): JsonSchema | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : null;
const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Escapes a name: forms split keys at dots, and these fields at slashes. */
const escaped = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '~2');

/** `horizon_days` as words. */
function readable(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the key of a path without its first name: `budget/days` for `arguments.budget.days[0]`. */
export const keyOfPath = (path: string): string =>
  path
    .split('.')
    .slice(1)
    .map((name) => name.replace(/\[\d+\]$/, ''))
    .filter((name) => !/^\d+$/.test(name))
    .map(escaped)
    .join('/');
