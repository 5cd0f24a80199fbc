import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { checkTimeZone } from '@loyalty/platform/database/time-zone';

/**
 * Details of a member that a client may send; null clears a field in an update, and equals an absent field in
 * a creation.
 */
export interface MemberInput {
  readonly fullName?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly birthOn?: string | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly programId?: string | null | undefined;
  readonly homeStoreId?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
}

const PHONE = /^\+?[0-9]{5,15}$/;

const FIRST_BIRTH_ON = '1900-01-01';

type Checks = { readonly [K in keyof Required<MemberInput>]: (text: string, today: string) => string };

const checks: Checks = {
  fullName: (text) => checkText('input.fullName', text, 200),
  phone: checkPhone,
  birthOn: checkBirthOn,
  externalId: (text) => checkText('input.externalId', text, 200),
  programId: (text) => checkText('input.programId', text, 100),
  homeStoreId: (id) => id,
  locale: checkLocale,
  timeZone: (text) => checkTimeZone('input.timeZone', text),
};

/** The checked fields that were sent; null for a cleared field. */
export type CheckedInput = { readonly [K in keyof MemberInput]: string | null };

/**
 * Checks every field that was sent.
 *
 * @param today - YYYY-MM-DD; the latest permitted birthday
 * @throws AppError VALIDATION_FAILED naming every wrong field
 */
export function checkMemberInput(input: MemberInput, today: string): CheckedInput {
  const sent = (Object.keys(checks) as (keyof Checks)[]).filter((field) => input[field] !== undefined);
  return gathered((check) =>
    Object.fromEntries(
      sent.map((field) => {
        const value = input[field] ?? null;
        return [field, value === null ? null : check(() => checks[field](value, today))];
      }),
    ),
  );
}

/** Whether the input has a value that the member's key must seal. */
export const hasPersonal = ({ fullName, phone, birthOn }: CheckedInput): boolean =>
  [fullName, phone, birthOn].some((value) => typeof value === 'string');

function checkPhone(text: string): string {
  const digits = text.replaceAll(/[\s().\-/]/g, '');
  if (!PHONE.test(digits))
    throw invalid('input.phone', inputRule('PHONE', 'must be 5 to 15 digits, with an optional leading +'));
  return digits;
}

function checkBirthOn(text: string, today: string): string {
  if (text < FIRST_BIRTH_ON || text > today)
    throw invalid('input.birthOn', inputRule('DAY', 'must be a day from 1900 to today'));
  return text;
}

function checkLocale(text: string): string {
  try {
    const [tag] = Intl.getCanonicalLocales(text.trim());
    if (tag) return tag;
  } catch {
    // Not a language tag: refused below.
  }
  throw invalid('input.locale', inputRule('LANGUAGE_TAG', 'must be a BCP 47 language tag such as pt-PT'));
}

/**
 * Returns the external ids that may be ids of members. A UUID always means the member with this id, so no
 * other member may have it as an external id. Ids never change, so a check before the write is enough.
 */
export const possibleMemberIds = (externalIds: readonly string[]): string[] => [
  ...new Set(externalIds.filter(isUuid).map((id) => id.toLowerCase())),
];
