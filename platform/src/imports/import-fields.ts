import { invalid } from '../errors.ts';
import type { ImportKind } from './imports.store.ts';

/** A field that a column of a file may fill. */
export interface ImportField<Name extends string = string> {
  readonly name: Name;
  /** Other names that columns have for it; case, spaces and punctuation never matter. */
  readonly also: readonly string[];
  readonly isRequired: boolean;
}

/** A field that rows may leave out. */
export const field = <Name extends string>(name: Name, ...also: string[]): ImportField<Name> => ({
  name,
  also,
  isRequired: false,
});
/** A field that every row needs. */
export const required = <Name extends string>(name: Name, ...also: string[]): ImportField<Name> => ({
  name,
  also,
  isRequired: true,
});

const normal = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** What each kind of import understands; the order is that of a record's values. */
export const importFields = {
  MEMBERS: [
    required('email', 'e_mail', 'mail', 'email_address'),
    field('full_name', 'name'),
    field('phone', 'phone_number', 'mobile'),
    field('birth_date', 'birthday', 'birth_on', 'date_of_birth'),
    field('external_id', 'customer_id'),
    field('program_id', 'program'),
    field('store_id', 'home_store_id'),
    field('locale', 'language'),
    field('custom_attributes'),
  ],
  ORDERS: [
    required('external_order_id', 'order_id', 'order_number'),
    field('member_id'),
    field('member_email', 'email', 'customer_email'),
    field('member_external_id', 'customer_id'),
    field('store_id', 'store'),
    required('occurred_at', 'ordered_at', 'date', 'order_date'),
    required('currency', 'currency_code'),
    required('total', 'total_minor', 'amount'),
    field('subtotal', 'subtotal_minor'),
    field('discount', 'discount_minor'),
    field('tax', 'tax_minor'),
    field('shipping', 'shipping_minor'),
    field('status', 'order_status'),
    field('items', 'line_items'),
  ],
  CATALOG: [
    required('external_id', 'product_id', 'external_product_id'),
    field('sku'),
    required('name', 'title', 'product_name'),
    field('description'),
    field('price', 'price_minor'),
    field('currency', 'currency_code'),
    field('category', 'category_path', 'product_type'),
    field('brand', 'vendor'),
    field('image_url', 'image'),
    field('status'),
  ],
} as const satisfies Record<ImportKind, readonly ImportField[]>;

/** Where in a row's values each of these fields is. */
export const positionsIn = <Name extends string>(
  fields: readonly ImportField<Name>[],
): Readonly<Record<Name, number>> =>
  Object.fromEntries(fields.map(({ name }, index) => [name, index])) as Record<Name, number>;

/** Where in a row's values each field of a kind is. */
export const positionsOf = <Kind extends ImportKind>(
  kind: Kind,
): Readonly<Record<(typeof importFields)[Kind][number]['name'], number>> =>
  positionsIn<(typeof importFields)[Kind][number]['name']>(importFields[kind]);

/** The fields that a file may fill, found by any of their names. */
export interface FieldSet {
  readonly fields: readonly ImportField[];
  /** Fields by name in normal form. */
  readonly names: ReadonlyMap<string, string>;
  /** Columns like `custom.shirt_size` fill fields beside these. */
  readonly takesCustom: boolean;
}

export const fieldSet = (fields: readonly ImportField[], takesCustom = false): FieldSet => ({
  fields,
  names: new Map(fields.flatMap(({ name, also }) => [name, ...also].map((each) => [normal(each), name]))),
  takesCustom,
});

/** Where columns of custom member fields go: `custom.shirt_size`. */
export const CUSTOM = 'custom.';
const CUSTOM_HEADER = /^custom(?:[ _]?attributes?)?[.:]\s*(\w{1,63})$/i;
const HEADER_LENGTH_MAX = 200;
const MAPPING_SIZE_MAX = 200;

/** What files of each kind may fill. */
export const fieldSets: Readonly<Record<ImportKind, FieldSet>> = {
  MEMBERS: fieldSet(importFields.MEMBERS, true),
  ORDERS: fieldSet(importFields.ORDERS),
  CATALOG: fieldSet(importFields.CATALOG),
};

/** The field that a column fills, by the mapping first and then by its own name; null where there is none. */
export function fieldOf(
  set: FieldSet,
  mapping: Readonly<Record<string, string>>,
  header: string,
): string | null {
  const name = header.trim();
  if (Object.hasOwn(mapping, name)) return mapping[name]!;
  const [, custom] = (set.takesCustom && CUSTOM_HEADER.exec(name)) || [];
  return custom ? CUSTOM + custom : (set.names.get(normal(name)) ?? null);
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
      throw invalid('mapping', `must lead to ${known.join(', ')}${more}`);
    }
    return [header.trim(), target];
  });
  const twice = checked.find(([, to], index) => checked.findIndex((other) => other[1] === to) !== index);
  if (twice) throw invalid('mapping', `leads two columns to ${twice[1]}; a field takes one column`);
  return Object.fromEntries(checked);
}
