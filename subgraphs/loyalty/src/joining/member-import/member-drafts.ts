import type { Context } from '@loyalty/platform/context';
import type { Cells } from '@loyalty/platform/imports/import-cells';
import { newId } from '@loyalty/platform/values/ids';
import { createMemberKey, type MemberKey } from '../../members/members/member-key.ts';
import { sealDetails } from '../../members/members/members.input.ts';
import { sealPersonal } from '../../members/members/members.personal.ts';
import type { HasOptedOut } from '../opt-outs/opt-outs.service.ts';
import type { MemberToWrite, NewMemberRow } from './imported-member.ts';
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

/** Makes members as they are inserted, each with a key of its own. */
export async function sealerOf(
  tx: Context,
  hasOptedOut: HasOptedOut,
): Promise<(draft: Draft) => NewMemberRow> {
  const keys = await tx.services.keyring.of(tx.scope.workspaceId);
  return (draft) => {
    const id = newId(tx.clock);
    const { key, keySealed } = createMemberKey(keys, id);
    return {
      ...writtenOf(draft, id, key),
      keySealed,
      emailIndex: draft.indexes[0]!,
      isUnsubscribed: hasOptedOut(draft.indexes),
      emailSealed: sealPersonal(key, 'email', draft.row.email)!,
    };
  };
}

/** What a draft says of a member, as it is stored. */
export const writtenOf = ({ row, attributes }: Draft, id: string, key: MemberKey | null): MemberToWrite => ({
  ...sealDetails(key, row.details),
  id,
  customAttributes: attributes,
});
