import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Cells } from '@loyalty/platform/imports/import-cells';
import { type HasOptedOut, keepOptOuts } from '../consents/opt-outs.service.ts';
import { possibleMemberIds } from '../members/members.input.ts';
import { type MemberKey, sealDetails } from '../members/sealing.ts';
import { countImported } from '../points/program-statistics.service.ts';
import { copyMembers } from './copied-members.store.ts';
import type { MemberToWrite, NewMember } from './imported-member.ts';
import type { MemberRow } from './member-import.input.ts';
import { COPIED_FROM, hasKnown } from './member-import.store.ts';

/** A member of this batch, merged from its rows. */
export interface Draft {
  readonly cells: Cells;
  row: MemberRow;
  attributes: Readonly<Record<string, unknown>>;
  readonly indexes: readonly string[];
  /** Number of rows about it. */
  rows: number;
}

/** Returns the member that a draft enrols. */
export const newMember = (
  { clock }: Context,
  { row, attributes, indexes }: Draft,
  hasOptedOut: HasOptedOut,
): NewMember => ({
  id: newId(clock),
  email: row.email,
  emailIndex: indexes[0]!,
  isUnsubscribed: hasOptedOut(indexes),
  details: row.details,
  customAttributes: attributes,
});

/** Returns the stored form of a draft. */
export const writtenOf = ({ row, attributes }: Draft, id: string, key: MemberKey | null): MemberToWrite => ({
  ...sealDetails(key, row.details),
  id,
  customAttributes: attributes,
});

/** People whose search decides whether all are assumed to be new. */
const SAMPLE = 20;

/**
 * Whether the unique indexes would find every known person. They do not find an address under an index of
 * older keys, nor an external id that is the id of a member.
 */
export function canEnrolByCopy(drafts: readonly Draft[]): boolean {
  const externalIds = externalIdsOf(drafts);
  return (
    drafts.length >= COPIED_FROM &&
    drafts.every(({ indexes }) => indexes.length === 1) &&
    new Set(externalIds).size === externalIds.length &&
    possibleMemberIds(externalIds).length === 0
  );
}

/**
 * Enrols people who are probably all new, without searching each: the unique indexes would find known ones.
 * If one is known, it enrols nobody.
 *
 * @returns true if all are enrolled
 */
export async function enrolByCopy(
  tx: Context,
  drafts: readonly Draft[],
  hasOptedOut: HasOptedOut,
): Promise<boolean> {
  const step = Math.ceil(drafts.length / SAMPLE);
  const sample = drafts.filter((_, at) => at % step === 0);
  const emailIndexes = sample.flatMap(({ indexes }) => indexes);
  if (await hasKnown(tx, { emailIndexes, externalIds: externalIdsOf(sample) })) return false;
  const members = drafts.map((draft) => newMember(tx, draft, hasOptedOut));
  if (!(await copyMembers(tx, members))) return false;
  await noteEnrolled(tx, members, hasOptedOut);
  return true;
}

const externalIdsOf = (drafts: readonly Draft[]): string[] =>
  drafts.flatMap(({ row }) => row.details.externalId ?? []);

/** Counts newly enrolled members, and records which of them are unsubscribed. */
export async function noteEnrolled(
  tx: Context,
  enrolled: readonly NewMember[],
  hasOptedOut: HasOptedOut,
): Promise<void> {
  await countImported(tx, enrolled.length);
  const unsubscribed = enrolled.filter(({ isUnsubscribed }) => isUnsubscribed);
  await keepOptOuts(
    tx,
    unsubscribed.map(({ id: memberId, emailIndex }) => ({ memberId, emailIndex })),
    hasOptedOut,
  );
}
