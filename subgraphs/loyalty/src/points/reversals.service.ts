import { conflict, notFound } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { lockMembersForUpdate, OPEN_STATUSES } from '../members/members.service.ts';
import { append } from './append-entry.service.ts';
import { cancelPending, findPending } from './point-lots.service.ts';
import { pointsReversed } from './points.events.ts';
import {
  entryById,
  entryBySource,
  findReversible,
  isBooked,
  type PointsTransaction,
} from './points.store.ts';

const REASON_LENGTH_MAX = 500;
const SOURCE = 'reversal:';

/**
 * Reverses an award, an earning or an upward correction, once, without the part that refunds took back
 * before. The points earned decrease by all of it, the balance by the part that has not expired and that the
 * member still has. Pending points are never booked.
 *
 * @throws AppError TRANSACTION_NOT_FOUND (404), ALREADY_REVERSED, NOT_REVERSIBLE, MEMBER_CLOSED (409),
 *   AMOUNT_OVER_CAP, VALIDATION_FAILED (400), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function reversePoints(ctx: Context, id: string, reason: string): Promise<PointsTransaction> {
  await guardWrite(ctx, 'value');
  const description = checkText('reason', reason, REASON_LENGTH_MAX);
  return ctx.transaction(async (tx) => {
    const { memberId, points, isPending } = await getReversible(tx, id);
    await lockMembersForUpdate(tx, [memberId]);
    const source = `${SOURCE}${id}`;
    if (await isBooked(tx, source))
      throw conflict('ALREADY_REVERSED', 'This entry was reversed before. Read the ledger again.');
    const isTaken = isPending && (await cancelPending(tx, points, { memberId, lotId: id })) > 0;
    // Pending points may have been booked in the meantime: then the entry itself is reversed.
    const reverses = isTaken ? null : await findReversible(tx, { id });
    if (!isTaken && !reverses?.remaining)
      throw conflict('ALREADY_REVERSED', 'Nothing of this entry is left to reverse. Read the ledger again.');
    const { remaining = 0, unexpired = 0 } = reverses ?? {};
    const change = { kind: 'REVERSAL', memberId, description, source, reverses } as const;
    const taken = { amount: -unexpired, earned: -remaining };
    const entry = await append(
      tx,
      { ...change, ...taken, allowedStatuses: OPEN_STATUSES, activates: [] },
      id,
    );
    await publish(tx, pointsReversed, { memberId, transactionId: entry.id, amount: entry.amount });
    const after = { amount: entry.amount, reversalOf: id, transactionId: entry.id };
    await audit(tx, { action: 'reversePoints', resourceType: 'Member', resourceId: memberId, after });
    return entry;
  });
}

async function getReversible(
  tx: Context,
  id: string,
): Promise<{ memberId: string; points: number; isPending: boolean }> {
  const entry = await tx.load(entryById, id);
  const pending = entry ? null : await findPending(tx, id);
  if (!entry && !pending) throw notFound('transaction', id);
  const points = entry ? entry.amount : pending!.remaining;
  if (points <= 0 || entry?.kind === 'REVERSAL')
    throw conflict(
      'NOT_REVERSIBLE',
      'Only entries that added points can be reversed. Adjust the points instead.',
    );
  guardValue(tx, 'transactionId', points);
  return { memberId: (entry ?? pending)!.memberId, points, isPending: !entry };
}

/** Returns the entry that an entry reverses; null for every other. */
export async function findReversalOf(
  ctx: Context,
  { source, reversesId }: PointsTransaction,
): Promise<PointsTransaction | null> {
  // Points that were taken back while pending never became an entry that `reversesId` could name.
  const id = reversesId ?? (source?.startsWith(SOURCE) ? source.slice(SOURCE.length) : null);
  return id ? ctx.load(entryById, id) : null;
}

/** Returns the entry by which an entry was reversed; null if it was not. */
export const findReversedBy = (ctx: Context, { id }: PointsTransaction): Promise<PointsTransaction | null> =>
  ctx.load(entryBySource, `${SOURCE}${id}`);
