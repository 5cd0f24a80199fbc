import { checkEmail } from '@loyalty/platform/base/email';
import { AppError } from '@loyalty/platform/base/errors';
import { anObject, inputRule } from '@loyalty/platform/base/input-rules';
import {
  type Cells,
  isRefused,
  readFreeText,
  readJson,
  readText,
  readUuid,
  refuse,
  requireText,
} from '@loyalty/platform/imports/import-cells';
import {
  CUSTOM,
  field,
  fieldSet,
  labelled,
  positionsIn,
  required,
} from '@loyalty/platform/imports/import-fields';
import { checkCustomValues, type FieldDefinition } from '../fields/custom-values.ts';
import { type CheckedInput, checkMemberInput, type MemberInput } from '../members/members.input.ts';

/** A member of a file; fields that the file does not have are absent. */
export interface MemberRow {
  readonly email: string;
  readonly details: CheckedInput;
  /** Attributes with the index of their field in the layout. */
  readonly attributes: readonly { readonly key: string; readonly value: unknown; readonly field: number }[];
}

/** Fields of a member in a file, in the order of a row's values; custom fields follow. */
const fields = [
  labelled(required('email', 'e_mail', 'mail', 'email_address'), 'E-mail address', 'ada@example.com'),
  labelled(field('full_name', 'name'), 'Full name', 'Ada Lovelace'),
  labelled(field('phone', 'phone_number', 'mobile'), 'Phone', '+5511987654321'),
  labelled(field('birth_date', 'birthday', 'birth_on', 'date_of_birth'), 'Date of birth', '1990-12-31'),
  labelled(field('external_id', 'customer_id'), 'Your id of the member', 'C-1024'),
  labelled(field('program_id', 'program'), 'Id of the programme', 'default'),
  labelled(
    field('store_id', 'home_store_id'),
    'Id of the home store',
    '0198b2a4-5e1c-7d30-9f00-6b1f2c3d4e5f',
  ),
  labelled(field('locale', 'language'), 'Language', 'pt-BR'),
  labelled(field('time_zone', 'timezone'), 'Time zone', 'America/Sao_Paulo'),
  labelled(field('custom_attributes'), 'Custom fields as JSON', '{"shirt_size": "M"}'),
];

export const memberFields = fieldSet(fields, true);

/** Index of each field among a row's values. */
export const memberField = positionsIn(fields);

const at = memberField;

const fieldsByInput: Readonly<Record<keyof MemberInput, number>> = {
  fullName: at.full_name,
  phone: at.phone,
  birthOn: at.birth_date,
  externalId: at.external_id,
  programId: at.program_id,
  homeStoreId: at.store_id,
  locale: at.locale,
  timeZone: at.time_zone,
};

/** Parses and checks one row; issues are recorded in its cells. @param today - YYYY-MM-DD */
export function readMember(cells: Cells, today: string): MemberRow {
  const email = requireText(cells, at.email, 254);
  const values: Record<keyof MemberInput, string | null> = {
    fullName: readFreeText(cells, at.full_name, 1_000),
    phone: readText(cells, at.phone, 100),
    birthOn: readDay(cells),
    externalId: readText(cells, at.external_id, 1_000),
    programId: readText(cells, at.program_id, 1_000),
    homeStoreId: readUuid(cells, at.store_id),
    locale: readText(cells, at.locale, 100),
    timeZone: readText(cells, at.time_zone, 100),
  };
  const attributes = readAttributes(cells);
  if (isRefused(cells)) return { email, details: {}, attributes };
  return {
    email: checked(cells, at.email, () => checkEmail('email', email)) ?? '',
    details: checkAll(cells, values, today),
    attributes,
  };
}

/** Checks fields one by one, so that each issue names its column. */
function checkAll(
  cells: Cells,
  values: Readonly<Record<keyof MemberInput, string | null>>,
  today: string,
): CheckedInput {
  const details: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const field = fieldsByInput[name as keyof MemberInput];
    const one = checked(cells, field, () => checkMemberInput({ [name]: value }, today));
    Object.assign(details, one);
  }
  return details;
}

/** Returns the result of `check`; its error is recorded as an issue, and the result is null then. */
function checked<T>(cells: Cells, field: number, check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { field: path } = error.details;
    const { rule, values } = error.details;
    const sentence =
      path && error.message.startsWith(`${path} `) ? error.message.slice(path.length + 1) : 'is not valid';
    const text = sentence.replace(/\.$/, '');
    refuse(cells, field, rule ? inputRule(rule, text, values) : text);
    return null;
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function readDay(cells: Cells): string | null {
  const text = readText(cells, at.birth_date, 40);
  if (text === null) return null;
  const date = DAY.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  if (date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return text;
  refuse(cells, at.birth_date, inputRule('DAY', 'must be a day of the calendar, YYYY-MM-DD'));
  return null;
}

/** Parses attributes of `custom.<key>` columns and of a JSON object in custom_attributes. */
function readAttributes(cells: Cells): MemberRow['attributes'] {
  const names = cells.layout.fields;
  const found: { key: string; value: unknown; field: number }[] = [];
  const object = readJson(cells, at.custom_attributes);
  if (object !== undefined) {
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      refuse(cells, at.custom_attributes, { ...anObject, text: 'must be a JSON object' });
    else {
      for (const [key, value] of Object.entries(object))
        if (value !== null) found.push({ key, value, field: at.custom_attributes });
    }
  }
  for (let index = fields.length; index < names.length; index += 1) {
    const value = cells.values[index];
    if (value === undefined || value === null || value === '') continue;
    found.push({ key: names[index]!.slice(CUSTOM.length), value, field: index });
  }
  return found;
}

/** Returns the attributes of a row in their stored form; issues are recorded in its cells, field by field. */
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

/** Converts the text of a cell to its field's type: true and yes, and options separated by | or ;. */
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
