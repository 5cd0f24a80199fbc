import type { Clock } from '@loyalty/platform/base/clock';
import { type AppError, unauthenticated } from '@loyalty/platform/base/errors';
import type { Bounds } from './bounds.ts';
import type { Ending } from './close-codes.ts';
import { type Connection, endConnection } from './connection.ts';

/**
 * Checks every connection: ends those that exceed a time limit or have an expired credential, sends
 * heartbeats, and looks stale credentials up again.
 */
export function sweep(
  connections: Iterable<Connection>,
  clock: Clock,
  bounds: Bounds,
  recheck: (connection: Connection) => Promise<void>,
): void {
  const now = performance.now();
  let rechecks = bounds.rechecksPerSweep;
  for (const connection of [...connections]) {
    if (connection.isEnding) continue;
    if (connection.expiresAt && connection.expiresAt <= clock.now()) {
      endConnection(connection, 'CREDENTIAL_REFUSED', expired());
      continue;
    }
    const ending = overdue(connection, now, bounds);
    if (ending) {
      endConnection(connection, ending);
      continue;
    }
    if (now - connection.heartbeatAt >= bounds.pingMs) {
      connection.heartbeatAt = now;
      connection.transport.sendHeartbeat();
    }
    if (connection.staleSince === null || connection.checking || rechecks === 0) continue;
    rechecks -= 1;
    void recheck(connection);
  }
}

const expired = (): AppError =>
  unauthenticated('CREDENTIAL_EXPIRED', 'This credential has expired. Sign in again or use a new key.');

/** Returns the ending of a connection that exceeds a time limit; otherwise null. */
function overdue(connection: Connection, now: number, bounds: Bounds): Ending | null {
  const { transport, running, idleSince, staleSince } = connection;
  connection.congestedSince = transport.isCongested() ? (connection.congestedSince ?? now) : null;
  const { congestedSince } = connection;
  if (congestedSince !== null && now - congestedSince >= bounds.slowMs) return 'SLOW_CONSUMER';
  if (staleSince !== null && now - staleSince >= bounds.staleMs) return 'TRY_AGAIN_LATER';
  return running.size === 0 && now - idleSince >= bounds.idleMs ? 'IDLE' : null;
}
