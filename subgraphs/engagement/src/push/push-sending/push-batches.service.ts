import { addMs } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/outbox/events';
import { LEASE_MS } from '../../messages/queue/message-lease.ts';
import { anyTaken, batchesOfSource, deleteWaiting } from './push-batches.store.ts';
import { pushRequested } from './push-sending.events.ts';

/** Who took a batch earlier is given up. */
export const leasedFrom = ({ clock }: Context): Date => addMs(clock.now(), -LEASE_MS);

/** Is a push of the source, or of any source, on its way to a push service? */
export const pushesInHands = (ctx: Context, sourceId: string | null): Promise<boolean> =>
  anyTaken(ctx, sourceId, leasedFrom(ctx));

/** Lets the pushes of a source, or of all sources, be sent that were kept back while it was held. */
export async function releasePushes(tx: Context, sourceId: string | null): Promise<void> {
  const ids = await batchesOfSource(tx, sourceId);
  await publishAll(
    tx,
    pushRequested,
    ids.map((pushBatchId) => ({ pushBatchId })),
  );
}

/** Deletes the pushes of a source that are not on their way yet. */
export const deletePushes = (tx: Context, sourceId: string): Promise<void> =>
  deleteWaiting(tx, sourceId, leasedFrom(tx));
