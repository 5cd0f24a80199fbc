import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import type { AppError } from '@loyalty/platform/base/errors';
import type { OperationTypeNode } from 'graphql';
import type { PresentedCredentials } from '../admission/authenticate.ts';
import type { Operation } from '../operations/operations.ts';
import type { Ending } from './close-codes.ts';
import type { OperationRun } from './running-operation.ts';

/** The socket or event stream of a connection. */
export interface ConnectionTransport {
  /** Shows the client that the server is alive. A WebSocket also checks its client. */
  sendHeartbeat(): void;
  /** Returns whether too many bytes wait for the client. */
  isCongested(): boolean;
  /** Ends the connection and all of its operations, and sends the reason if the protocol allows it. */
  end(ending: Ending, error?: AppError): void;
}

/** A running operation of a connection. */
export interface Running {
  /** Null until its text is known, because the client may have sent only a hash. */
  operation: Operation | null;
  /** Size in bytes of the message that requested it. */
  readonly bytes: number;
  readonly run: OperationRun;
  /** Undefined until the graph has read it; null if it could not be read. */
  type: OperationTypeNode | null | undefined;
}

/** An open socket or stream and its caller. */
export interface Connection {
  readonly transport: ConnectionTransport;
  readonly address: string;
  /** See `Context.hasPrivacySignal`. */
  readonly hasPrivacySignal: boolean;
  readonly running: Set<Running>;
  /** Null until the client has signed in. */
  credentials: PresentedCredentials | null;
  caller: Caller;
  /** Expiry of the credential; null for never. */
  expiresAt: Date | null;
  /** Owner whose limit the connection counts for: an actor, or an address before sign-in. */
  owner: string;
  isEnding: boolean;
  /** Times of the process's monotonic clock, in milliseconds. */
  heartbeatAt: number;
  idleSince: number;
  congestedSince: number | null;
  /** Time since which the credential waits for a new look-up; null while it is known to be valid. */
  staleSince: number | null;
  /** Counter of stale marks. A look-up only counts if the counter has not changed since its start. */
  timesMarkedStale: number;
  /** The running look-up; null if there is none. */
  checking: Promise<void> | null;
}

export const addressOwner = (address: string): string => `address:${address}`;

/** Creates a connection before sign-in. */
export function newConnection(
  address: string,
  transport: ConnectionTransport,
  hasPrivacySignal: boolean,
): Connection {
  const now = performance.now();
  return {
    transport,
    address,
    hasPrivacySignal,
    running: new Set(),
    credentials: null,
    caller: anonymous,
    expiresAt: null,
    owner: addressOwner(address),
    isEnding: false,
    heartbeatAt: now,
    idleSince: now,
    congestedSince: null,
    staleSince: null,
    timesMarkedStale: 0,
    checking: null,
  };
}

/** Ends a connection and all of its operations. `closed` is called after the transport has closed. */
export function endConnection(connection: Connection, ending: Ending, error?: AppError): void {
  if (connection.isEnding) return;
  connection.isEnding = true;
  connection.transport.end(ending, error);
  for (const { run } of [...connection.running]) void run.return();
}

/**
 * Returns whether it can end without losing an answer. Clients of subscriptions subscribe again elsewhere.
 */
export const isBetweenAnswers = ({ running }: Connection): boolean =>
  [...running].every(({ type }) => type === 'subscription');
