import type { Context } from '@loyalty/platform/context';
import { changeInScope } from '@loyalty/platform/database/scope-counts';
import { scopeOf } from '@loyalty/platform/database/scope-sql';
import { createWorkThread } from '@loyalty/platform/work/work-thread';
import type { TransactionSql } from '@loyalty/prisma/client';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { initialTier, memberCounts, writtenColumns } from '../members/member-sql.ts';
import { type CopiedRows, type CopyJob, copiedFields } from './copied-rows.store.ts';
import type { NewMember } from './imported-member.ts';

const COPY = `COPY loyalty.members (workspace_id, mode, current_tier_id, last_activity_at, created_at,
    updated_at, ${copiedFields.map((field) => writtenColumns[field]).join(', ')}) FROM STDIN (FORMAT binary)`;

const COPY_SEARCH =
  'COPY loyalty.member_search (workspace_id, mode, member_id, terms) FROM STDIN (FORMAT binary)';

/** A worker thread, because sealing a thousand members takes tens of milliseconds. */
const thread = createWorkThread<CopyJob, CopiedRows>(new URL('./copied-members.thread.ts', import.meta.url), {
  memoryMb: 128,
});

/**
 * Enrols all members by COPY, faster than INSERT; returns false and enrols none if one is enrolled already.
 */
export async function copyMembers(tx: Context, members: readonly NewMember[]): Promise<boolean> {
  const { mode, workspaceId } = tx.scope;
  const { sealingKey, indexKeys } = await tx.services.keyring.of(workspaceId);
  const [tier] = await tx.sql.query<{ id: string | null }>(`SELECT ${initialTier} AS id`, [workspaceId]);
  const sorted = members.toSorted((a, b) => (a.emailIndex < b.emailIndex ? -1 : 1));
  const keys = { sealingKey, indexKey: indexKeys[0]! };
  const job = { ...keys, mode, tierId: tier!.id, now: tx.clock.now(), members: sorted };
  const rows = await thread.run(job, tx.request.signal);
  await tx.sql.query('SAVEPOINT members');
  try {
    await copyIn(tx, COPY, rows.members);
    await copyIn(tx, COPY_SEARCH, rows.search);
  } catch (error) {
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    await tx.sql.query('ROLLBACK TO SAVEPOINT members');
    return false;
  }
  await tx.sql.query('RELEASE SAVEPOINT members');
  await tx.sql.query(memberCounts.add(changeInScope('$3::int')), [...scopeOf(tx), members.length]);
  return true;
}

const copyIn = (tx: Context, text: string, { buffer, byteOffset, byteLength }: Uint8Array) =>
  (tx.sql as TransactionSql).copyIn(text, [Buffer.from(buffer, byteOffset, byteLength)]);
