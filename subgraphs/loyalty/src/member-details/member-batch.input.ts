import { checkEmail } from '@loyalty/platform/base/email';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { required, uuid } from '@loyalty/platform/base/input-rules';
import type { CheckedAttributes } from '../fields/custom-values.ts';
import { type CheckedInput, checkMemberInput } from '../members/members.input.ts';
import { checkTagKeys, type TagInput } from '../members/tag-keys.ts';

type Text = string | null | undefined;

/** One member of a batch, as the client sent it. */
export interface BatchRow {
  readonly email?: Text;
  readonly fullName?: Text;
  readonly externalId?: Text;
  readonly phone?: Text;
  readonly programId?: Text;
  readonly storeId?: Text;
  readonly locale?: Text;
  readonly timeZone?: Text;
  readonly birthDate?: Text;
  readonly customAttributes?: Readonly<Record<string, unknown>> | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
}

/** One checked member of a batch. */
export interface CheckedMember {
  readonly index: number;
  /** Trimmed and in lower case. */
  readonly email: string;
  readonly details: CheckedInput;
  readonly attributes: CheckedAttributes;
  readonly tags: readonly TagInput[];
}

/** The error of a refused row. */
export interface RowError {
  readonly index: number;
  readonly code: string;
  /** A sentence without personal data. */
  readonly message: string;
}

type AttributeCheck = (path: string, attributes: Readonly<Record<string, unknown>>) => CheckedAttributes;

/** Checks rows one by one; an error in one row does not refuse the others. */
export function checkRows(
  rows: readonly BatchRow[],
  today: string,
  checkAttributes: AttributeCheck,
): { readonly checked: CheckedMember[]; readonly refused: RowError[] } {
  const checked: CheckedMember[] = [];
  const refused: RowError[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      checked.push(checkRow(index, row, today, checkAttributes));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push(rowError(index, error));
    }
  }
  return { checked, refused };
}

function checkRow(
  index: number,
  row: BatchRow,
  today: string,
  checkAttributes: AttributeCheck,
): CheckedMember {
  const { email, storeId, birthDate, customAttributes, tags, ...fields } = row;
  if (!email) throw invalid('email', required);
  if (storeId && !isUuid(storeId)) throw invalid('storeId', uuid, 'INVALID_ID');
  return {
    index,
    email: checkEmail('email', email),
    details: checkMemberInput(
      { ...fields, homeStoreId: storeId?.toLowerCase() ?? storeId, birthOn: birthDate },
      today,
    ),
    attributes: checkAttributes('customAttributes', customAttributes ?? {}),
    tags: checkTagKeys('tags', tags ?? []),
  };
}

/** Names the field as the row does: `birthDate`, without the argument's name before it. */
export function rowError(index: number, { code, message }: AppError): RowError {
  return { index, code, message: message.replace(/^input\./, '').replace(/^birthOn\b/, 'birthDate') };
}

/**
 * Divides rows into rounds: the n-th row of an address is in the n-th round. Within a round each member
 * occurs once, and processing the rounds in order has the same result as processing the rows in order.
 */
export function roundsOf(rows: readonly CheckedMember[]): CheckedMember[][] {
  const rounds: CheckedMember[][] = [];
  const seen = new Map<string, number>();
  for (const row of rows) {
    const round = seen.get(row.email) ?? 0;
    seen.set(row.email, round + 1);
    rounds[round] ??= [];
    rounds[round].push(row);
  }
  return rounds;
}
