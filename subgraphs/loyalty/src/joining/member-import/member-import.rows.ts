import { AppError } from '@loyalty/platform/errors';
import {
  isRefused,
  readJson,
  readText,
  readUuid,
  readWords,
  refuse,
  requireText,
} from '@loyalty/platform/imports/import-cells';
import { CUSTOM, importFields, positionsOf } from '@loyalty/platform/imports/import-fields';
import type { Cells } from '@loyalty/platform/imports/import-layout';
import { checkEmail } from '@loyalty/platform/values/email';
import {
  type CheckedInput,
  checkMemberInput,
  type MemberInput,
} from '../../members/members/members.input.ts';

/** A member as a file tells it; what it does not say is absent. */
export interface MemberRow {
  readonly email: string;
  readonly details: CheckedInput;
  /** By the field of the layout that they came from. */
  readonly attributes: readonly { readonly key: string; readonly value: unknown; readonly field: number }[];
}

const at = positionsOf('MEMBERS');
export const memberFields = at;

const fieldsByInput: Readonly<Record<keyof MemberInput, number>> = {
  fullName: at.full_name,
  phone: at.phone,
  birthOn: at.birth_date,
  externalId: at.external_id,
  programId: at.program_id,
  homeStoreId: at.store_id,
  locale: at.locale,
};

/** Reads and checks one row; what is wrong is noted in its cells. @param today - YYYY-MM-DD */
export function readMember(cells: Cells, today: string): MemberRow {
  const email = requireText(cells, at.email, 254);
  const said: Record<keyof MemberInput, string | null> = {
    fullName: readWords(cells, at.full_name, 1_000),
    phone: readText(cells, at.phone, 100),
    birthOn: readDay(cells),
    externalId: readText(cells, at.external_id, 1_000),
    programId: readText(cells, at.program_id, 1_000),
    homeStoreId: readUuid(cells, at.store_id),
    locale: readText(cells, at.locale, 100),
  };
  const attributes = readAttributes(cells);
  if (isRefused(cells)) return { email, details: {}, attributes };
  return {
    email: checked(cells, at.email, () => checkEmail('email', email)) ?? '',
    details: checkAll(cells, said, today),
    attributes,
  };
}

/** Fields one by one, so that each fault is told by its column. */
function checkAll(
  cells: Cells,
  said: Readonly<Record<keyof MemberInput, string | null>>,
  today: string,
): CheckedInput {
  const details: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(said)) {
    if (value === null) continue;
    const field = fieldsByInput[name as keyof MemberInput];
    const one = checked(cells, field, () => checkMemberInput({ [name]: value }, today));
    Object.assign(details, one);
  }
  return details;
}

/** What `check` gives; what it throws is noted, and the result is null. */
export function checked<T>(cells: Cells, field: number, check: () => T): T | null {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { field: path } = error.details;
    const rule =
      path && error.message.startsWith(`${path} `) ? error.message.slice(path.length + 1) : 'is not valid';
    refuse(cells, field, rule.replace(/\.$/, ''));
    return null;
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function readDay(cells: Cells): string | null {
  const text = readText(cells, at.birth_date, 40);
  if (text === null) return null;
  const date = DAY.test(text) ? new Date(`${text}T00:00:00.000Z`) : null;
  if (date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return text;
  refuse(cells, at.birth_date, 'must be a day of the calendar, YYYY-MM-DD');
  return null;
}

/** Attributes of `custom.<key>` columns and of a JSON object in custom_attributes. */
function readAttributes(cells: Cells): MemberRow['attributes'] {
  const { fields } = cells.layout;
  const found: { key: string; value: unknown; field: number }[] = [];
  const object = readJson(cells, at.custom_attributes);
  if (object !== undefined) {
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      refuse(cells, at.custom_attributes, 'must be a JSON object');
    else {
      for (const [key, value] of Object.entries(object))
        if (value !== null) found.push({ key, value, field: at.custom_attributes });
    }
  }
  for (let field = importFields.MEMBERS.length; field < fields.length; field += 1) {
    const value = cells.values[field];
    if (value === undefined || value === null || value === '') continue;
    found.push({ key: fields[field]!.slice(CUSTOM.length), value, field });
  }
  return found;
}
