import type { Context } from '@loyalty/platform/context';
import type { Cells } from '@loyalty/platform/imports/import-cells';
import { newId } from '@loyalty/platform/values/ids';
import type { MemberKey } from '../../members/members/member-key.ts';
import { sealDetails } from '../../members/members/members.sealing.ts';
import type { HasOptedOut } from '../opt-outs/opt-outs.service.ts';
import type { MemberToWrite, NewMember } from './imported-member.ts';
import type { MemberRow } from './member-import.rows.ts';

/** A member of this batch: what its rows say together. */
export interface Draft {
  readonly cells: Cells;
  row: MemberRow;
  attributes: Readonly<Record<string, unknown>>;
  readonly indexes: readonly string[];
  /** Number of rows about it. */
  rows: number;
}

/** The member whom a draft enrols. */
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

/** What a draft says of a member, as it is stored. */
export const writtenOf = ({ row, attributes }: Draft, id: string, key: MemberKey | null): MemberToWrite => ({
  ...sealDetails(key, row.details),
  id,
  customAttributes: attributes,
});
