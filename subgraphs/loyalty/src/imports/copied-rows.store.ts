import type { KeyObject } from 'node:crypto';
import type { Mode } from '@loyalty/platform/base/caller';
import type { SealingKey } from '@loyalty/platform/crypto/keyring-cipher';
import { binaryRows, type RowCells } from '@loyalty/prisma/copy/binary-rows';
import type { writtenColumns } from '../members/member-sql.ts';
import { termsOf } from '../members/search-terms.ts';
import { type NewMember, type NewMemberRow, sealedRow } from './imported-member.ts';

type Field = keyof typeof writtenColumns;
type Value = string | boolean | Uint8Array | null | undefined;

/** The encoding of each column. */
const cellsOf: { readonly [K in Field]: readonly [keyof RowCells, (member: NewMemberRow) => Value] } = {
  id: ['uuid', ({ id }) => id],
  keySealed: ['bytes', ({ keySealed }) => keySealed],
  emailIndex: ['text', ({ emailIndex }) => emailIndex],
  emailSealed: ['bytes', ({ emailSealed }) => emailSealed],
  nameSealed: ['bytes', ({ nameSealed }) => nameSealed],
  phoneSealed: ['bytes', ({ phoneSealed }) => phoneSealed],
  birthSealed: ['bytes', ({ birthSealed }) => birthSealed],
  externalId: ['text', ({ externalId }) => externalId],
  programId: ['text', ({ programId }) => programId],
  homeStoreId: ['uuid', ({ homeStoreId }) => homeStoreId],
  locale: ['text', ({ locale }) => locale],
  timeZone: ['text', ({ timeZone }) => timeZone],
  status: ['text', ({ isUnsubscribed }) => (isUnsubscribed ? 'UNSUBSCRIBED' : 'ACTIVE')],
  enrollmentSource: ['text', () => 'IMPORT'],
  isUnsubscribed: ['boolean', ({ isUnsubscribed }) => isUnsubscribed],
  customAttributes: ['json', ({ customAttributes }) => JSON.stringify(customAttributes)],
};

/** Columns in write order; workspace, mode, tier and three times come before them. */
export const copiedFields = Object.keys(cellsOf) as Field[];

/** Members to seal and to write. */
export interface CopyJob {
  readonly sealingKey: SealingKey;
  readonly indexKey: KeyObject;
  readonly mode: Mode;
  readonly tierId: string | null;
  /** Time of joining. */
  readonly now: Date;
  readonly members: readonly NewMember[];
}

/** Rows in the binary format of COPY. */
export interface CopiedRows {
  readonly members: Uint8Array;
  /** Search rows of members with a name or a phone. */
  readonly search: Uint8Array;
}

export const rowsToCopy = (job: CopyJob): CopiedRows => ({
  members: memberRows(job),
  search: searchRows(job),
});

function memberRows({ sealingKey, mode, tierId, now, members }: CopyJob): Uint8Array {
  const pieces = binaryRows(6 + copiedFields.length, members, (cells, member) => {
    cells.uuid(sealingKey.workspaceId);
    cells.text(mode);
    cells.uuid(tierId);
    for (let time = 0; time < 3; time += 1) cells.timestamp(now);
    const row = sealedRow({ sealingKey }, member);
    for (const field of copiedFields) {
      const [type, read] = cellsOf[field];
      cells[type]((read(row) ?? null) as never);
    }
  });
  return Buffer.concat([...pieces]);
}

function searchRows({ sealingKey, indexKey, mode, members }: CopyJob): Uint8Array {
  const named = members.filter(({ details: { fullName, phone } }) => fullName || phone);
  const pieces = binaryRows(4, named, (cells, { id, details: { fullName: name = null, phone = null } }) => {
    cells.uuid(sealingKey.workspaceId);
    cells.text(mode);
    cells.uuid(id);
    cells.bigints(termsOf(indexKey, mode, { name, phone }));
  });
  return Buffer.concat([...pieces]);
}
