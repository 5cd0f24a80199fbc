import type { Caller } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import type { Live } from '@loyalty/platform/live/live';
import type { Log } from '@loyalty/platform/observe/log';
import type { Authenticator, Identity, PresentedCredentials } from '../admission/authenticate.ts';
import type { Operation } from '../operations/operations.ts';
import { type Connection, endConnection } from './connection.ts';
import { refusedOperation } from './operation-errors.ts';

/** Returns the refusal if a caller may not run an operation now; otherwise null. */
export type RefusalFor = (operation: Operation, caller: Caller) => AppError | null;

/**
 * Closes connections whose credential was revoked or has expired, and ends subscriptions that it no longer
 * allows.
 */
export interface CredentialWatch {
  /** Number of live events about credentials so far. */
  readonly changes: number;
  /** Looks the credential of a connection up again. */
  recheck(connection: Connection): Promise<void>;
  close(): void;
}

/**
 * Looks credentials up again when a live event names their actor or workspace. After an interruption of live
 * events, all credentials are stale; the sweep then looks up several at a time.
 */
export function watchCredentials(
  connections: Iterable<Connection>,
  parts: { authenticator: Authenticator; live: Live; log: Log; refusalFor: RefusalFor },
): CredentialWatch {
  const { live, log } = parts;
  let changes = 0;

  async function check(connection: Connection, credentials: PresentedCredentials): Promise<void> {
    try {
      await lookUpUntilCurrent(connection, credentials, parts);
    } catch (error) {
      if (isFinal(error)) endConnection(connection, 'CREDENTIAL_REFUSED', error);
      else log.warn({ err: error }, 'a credential could not be looked up again');
    } finally {
      connection.checking = null;
    }
  }

  /** Runs at most one look-up at a time per connection. */
  async function recheck(connection: Connection): Promise<void> {
    if (!connection.credentials) return;
    connection.checking ??= check(connection, connection.credentials);
    await connection.checking;
  }

  const unsubscribe = live.subscribe(CREDENTIALS_CHANNEL, (subject) => {
    changes += 1;
    for (const connection of connections) {
      if (!isNamed(connection, subject)) continue;
      markStale(connection);
      // Deferred until after all listeners of this event, so that the authenticator has dropped its cached
      // answer.
      queueMicrotask(() => void recheck(connection));
    }
  });
  const offGap = live.onGap(() => {
    changes += 1;
    for (const connection of connections) if (connection.credentials) markStale(connection);
  });
  return {
    get changes() {
      return changes;
    },
    recheck,
    close() {
      unsubscribe();
      offGap();
    },
  };
}

/** Repeats the look-up while the credential is marked stale in the meantime. */
async function lookUpUntilCurrent(
  connection: Connection,
  credentials: PresentedCredentials,
  { authenticator, refusalFor }: { authenticator: Authenticator; refusalFor: RefusalFor },
): Promise<void> {
  let timesMarkedStale: number;
  do {
    timesMarkedStale = connection.timesMarkedStale;
    const identity = await authenticator.identify(credentials, 'recheck');
    if (connection.isEnding) return;
    applyIdentity(connection, identity, refusalFor);
  } while (connection.timesMarkedStale !== timesMarkedStale);
  connection.staleSince = null;
}

/** Marks the credential of a connection for a new look-up. */
export function markStale(connection: Connection): void {
  connection.timesMarkedStale += 1;
  connection.staleSince ??= performance.now();
}

/** Sets the caller of a connection, and ends subscriptions that the caller may no longer run. */
export function applyIdentity(
  connection: Connection,
  { caller, expiresAt }: Identity,
  refusalFor: RefusalFor,
): void {
  connection.caller = caller;
  connection.expiresAt = expiresAt;
  for (const { operation, type, run } of [...connection.running]) {
    // A started query or mutation is still answered, like over HTTP.
    if (!operation || type === 'query' || type === 'mutation') continue;
    const refused = refusalFor(operation, caller);
    if (refused) run.fail(refusedOperation(refused));
  }
}

const isNamed = ({ credentials, caller }: Connection, subject: string): boolean =>
  credentials !== null && (caller.actor === subject || `workspace:${caller.workspaceId}` === subject);

/** Returns whether the credential itself is refused, so that a retry would not help. */
export const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.category === 'UNAUTHENTICATED' || error.category === 'FORBIDDEN');
