import { audit } from '@loyalty/platform/audit';
import type { Context } from '@loyalty/platform/context';
import { conflict, notFound } from '@loyalty/platform/errors';
import { publish } from '@loyalty/platform/events';
import { checkText } from '@loyalty/platform/input';
import { guardValue, guardWrite } from '@loyalty/platform/write-guard';
import { findWaiting, takeBackWaiting } from '../point-lots/point-lots.service.ts';
import { holdMembers } from '../tier-rules/settle-tiers.service.ts';
import { append, OPEN } from './append-entry.service.ts';
import { pointsReversed } from './points.events.ts';
import { entryById, entryBySource, isBooked, type PointsEntry } from './points.store.ts';

const REASON_LENGTH_MAX = 500;
const SOURCE = 'reversal:';

/**
 * Takes an award, an earning or an upward correction back, once: as many of its points as the member still
 * has leave the balance, and all of them leave the points earned. Points that still wait never come.
 *
 * @throws AppError TRANSACTION_NOT_FOUND (404), ALREADY_REVERSED, NOT_REVERSIBLE, MEMBER_CLOSED (409),
 * AMOUNT_OVER_CAP, VALIDATION_FAILED (400), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function reversePoints(ctx: Context, id: string, reason: string): Promise<PointsEntry> {
  await guardWrite(ctx, 'value');
  const description = checkText('reason', reason, REASON_LENGTH_MAX);
  return ctx.transaction(async (tx) => {
    const { memberId, points, waits } = await getReversible(tx, id);
    await holdMembers(tx, [memberId]);
    const source = `${SOURCE}${id}`;
    if (await isBooked(tx, source))
      throw conflict('ALREADY_REVERSED', 'This entry was reversed before. Read the ledger again.');
    // Where it was released in the meantime, nothing waits any more, and the entry itself is taken back.
    const isTaken = waits && (await takeBackWaiting(tx, points, { memberId, lotId: id })) > 0;
    if (waits && !isTaken)
      throw conflict('ALREADY_REVERSED', 'These points wait no more. Read the ledger again.');
    const amount = isTaken ? 0 : -points;
    const change = { kind: 'REVERSAL', memberId, amount, earned: amount, description, source } as const;
    const entry = await append(tx, { ...change, takenIn: OPEN, activates: [] }, id);
    await publish(tx, pointsReversed, { memberId, transactionId: entry.id, amount: entry.amount });
    const after = { amount: entry.amount, reversalOf: id, transactionId: entry.id };
    await audit(tx, { action: 'reversePoints', resourceType: 'Member', resourceId: memberId, after });
    return entry;
  });
}

async function getReversible(
  tx: Context,
  id: string,
): Promise<{ memberId: string; points: number; waits: boolean }> {
  const entry = await tx.load(entryById, id);
  const waiting = entry ? null : await findWaiting(tx, id);
  if (!entry && !waiting) throw notFound('transaction', id);
  const points = entry ? entry.amount : waiting!.remaining;
  if (points <= 0 || entry?.kind === 'REVERSAL')
    throw conflict(
      'NOT_REVERSIBLE',
      'Only entries that added points can be reversed. Adjust the points instead.',
    );
  guardValue(tx, 'transactionId', points);
  return { memberId: (entry ?? waiting)!.memberId, points, waits: !entry };
}

/** The entry that an entry takes back; null for every other. */
export async function findReversalOf(ctx: Context, { source }: PointsEntry): Promise<PointsEntry | null> {
  return source?.startsWith(SOURCE) ? ctx.load(entryById, source.slice(SOURCE.length)) : null;
}

/** The entry by which an entry was taken back; null while it stands. */
export const findReversedBy = (ctx: Context, { id }: PointsEntry): Promise<PointsEntry | null> =>
  ctx.load(entryBySource, `${SOURCE}${id}`);
