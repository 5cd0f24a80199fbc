import { addMs, MINUTE_MS, SECOND_MS } from '@loyalty/platform/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { claimWork } from '@loyalty/platform/outbox/lost-workers';
import { WEBHOOK_DELIVERIES_CHANNEL } from '../endpoints/delivery-channels.ts';
import type { ClaimedDelivery } from './attempt.ts';
import { claimDeliveries, type Position } from './delivery-claims.store.ts';
import { keepResults } from './results.service.ts';
import { sendDelivery } from './send-delivery.service.ts';
import { createWindow, ENDPOINT_START, type Window } from './window.ts';

/** A worker that has not written the result by then has lost the delivery; a request takes 15 s at most. */
const LEASE_MS = MINUTE_MS;
/** Claims are worth their statement when they may take so many. */
const CLAIM_MIN = 32;
/** Results are written together that come within so long. */
const RESULTS_MS = 10;

const windows = new WeakMap<Services, Window>();

/** The window of this process; the end of a request wakes the loop. */
function windowOf(services: Services): Window {
  const known = windows.get(services);
  if (known) return known;
  let isWaking = false;
  const wake = () => {
    isWaking = false;
    services.live.deliver(WEBHOOK_DELIVERIES_CHANNEL, 'ended');
  };
  const window = createWindow(() => {
    if (!isWaking) setTimeout(wake, RESULTS_MS);
    isWaking = true;
  });
  windows.set(services, window);
  return window;
}

/**
 * Writes what has come of earlier requests and starts what may be sent now. Requests go on beyond the turn:
 * one that takes long delays no other.
 *
 * @returns milliseconds to wait before the next turn
 */
export async function sendDue(ctx: Context): Promise<number> {
  const window = windowOf(ctx.services);
  await writeEnded(ctx, window);
  if (window.room() >= CLAIM_MIN) await startDue(ctx, window);
  return window.ended.length > 0 ? 0 : SECOND_MS;
}

async function startDue(ctx: Context, window: Window): Promise<void> {
  const { position } = window;
  const room = window.room();
  const { claimed, suspect, ended } = await claimWork(ctx.services, (maySuspect) =>
    claimDeliveries(ctx, {
      size: room,
      perEndpoint: ENDPOINT_START,
      rooms: window.rooms(),
      after: position,
      until: addMs(ctx.clock.now(), LEASE_MS),
      maySuspect,
    }),
  );
  // What is left over after a full claim comes first next time.
  window.position = claimed.length === room ? lastOf(claimed) : null;
  for (const delivery of claimed) {
    const send = () => sendDelivery(ctx, delivery);
    window.start(delivery, delivery === suspect ? () => send().finally(ended) : send);
  }
  if (claimed.length === 0 && position !== null) await startDue(ctx, window);
}

/** The endpoint up to which the claim has come. */
function lastOf(claimed: readonly ClaimedDelivery[]): Position | null {
  const positions = claimed.map(
    ({ workspaceId, mode, endpointId }) => [workspaceId, mode, endpointId] as const,
  );
  return positions.toSorted((one, other) => (one.join() < other.join() ? -1 : 1)).at(-1) ?? null;
}

async function writeEnded(ctx: Context, window: Window): Promise<void> {
  const attempts = window.ended.splice(0);
  if (attempts.length === 0) return;
  try {
    await keepResults(ctx, attempts);
  } catch (error) {
    // Until their leases end they can still be written.
    const oldest = addMs(ctx.clock.now(), -LEASE_MS);
    window.ended.push(...attempts.filter(({ startedAt }) => startedAt > oldest));
    throw error;
  }
}

/** Waits for the requests that are under way, and writes their results. */
export async function drain(ctx: Context): Promise<void> {
  const window = windowOf(ctx.services);
  await window.quiet();
  await writeEnded(ctx, window);
}
