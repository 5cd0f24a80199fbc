import { scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { changeInScope } from '@loyalty/platform/loading/scope-counts';
import type { TransactionSql } from '@loyalty/prisma/client';
import { binaryRows, type RowCells } from '@loyalty/prisma/copy/binary-rows';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { memberCounts, writtenColumns } from '../../members/members/member-sql.ts';
import { initialTier } from '../../tiers/tiers/tier-sql.ts';
import type { NewMemberRow } from './imported-member.ts';

type Field = keyof typeof writtenColumns;
type Value = string | boolean | Uint8Array | null | undefined;

/** How each column is written, in the order of the statement. */
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
const fields = Object.keys(cellsOf) as Field[];

const COPY = `COPY loyalty.members (workspace_id, mode, current_tier_id, last_activity_at, created_at,
    updated_at, ${fields.map((field) => writtenColumns[field]).join(', ')}) FROM STDIN (FORMAT binary)`;

/** Somebody to enrol, whose row is made when it is sent: a thousand sealed rows are not held at once. */
export interface Enrolment {
  readonly emailIndex: string;
  readonly row: () => NewMemberRow;
}

/** Enrols all of them, faster than INSERT; false, and none of them, where one is enrolled already. */
export async function copyMembers(tx: Context, enrolments: readonly Enrolment[]): Promise<boolean> {
  const { workspaceId, mode } = tx.scope;
  const now = tx.clock.now();
  const [tier] = await tx.sql.query<{ id: string | null }>(`SELECT ${initialTier} AS id`, [workspaceId]);
  const sorted = enrolments.toSorted((a, b) => (a.emailIndex < b.emailIndex ? -1 : 1));
  const rows = binaryRows(6 + fields.length, sorted, (cells, enrolment) => {
    const member = enrolment.row();
    cells.uuid(workspaceId);
    cells.text(mode);
    cells.uuid(tier!.id);
    for (let time = 0; time < 3; time += 1) cells.timestamp(now);
    for (const field of fields) {
      const [type, read] = cellsOf[field];
      cells[type]((read(member) ?? null) as never);
    }
  });
  await tx.sql.query('SAVEPOINT members');
  try {
    await (tx.sql as TransactionSql).copyIn(COPY, rows);
  } catch (error) {
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    await tx.sql.query('ROLLBACK TO SAVEPOINT members');
    return false;
  }
  await tx.sql.query('RELEASE SAVEPOINT members');
  await tx.sql.query(memberCounts.add(changeInScope('$3::int')), [...scopeOf(tx), enrolments.length]);
  return true;
}
