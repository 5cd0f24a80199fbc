import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { limits } from '../admission/limits.ts';

const MEBIBYTE = 1_024 * 1_024;

/** Limits of sockets and event streams, so that no client exhausts the process. */
export const bounds = {
  /** From the handshake to `connection_init`. */
  initMs: 3 * SECOND_MS,
  /** Between two heartbeats; a client that did not answer the last one is cut off. */
  pingMs: 15 * SECOND_MS,
  /** A socket without any operation is closed. */
  idleMs: 10 * MINUTE_MS,
  /** One message from a client: the same as a body over HTTP. */
  messageBytes: limits.bodyBytes,
  operationsPerSocket: 100,
  /** Messages of running operations: their variables stay in memory as long as they run. */
  operationBytesPerSocket: MEBIBYTE,
  /** Sockets and streams of one credential, or of one address where nobody has signed in. */
  connectionsPerOwner: 200,
  /** What may wait in a socket for its client. Above it, nothing more is read from the client. */
  bufferedBytes: MEBIBYTE,
  /** A client that leaves that much waiting for this long is too slow. */
  slowMs: 10 * SECOND_MS,
  /** While a stale credential cannot be looked up, its connections stay open for this long. */
  staleMs: MINUTE_MS,
  /** Credentials looked up again in one sweep after live events were interrupted. */
  rechecksPerSweep: 500,
  /** How often connections are checked. */
  sweepMs: SECOND_MS,
  /** Running queries and mutations may take this long when the server shuts down. */
  drainMs: 8 * SECOND_MS,
  /** For a client to confirm the close; then the connection is cut. */
  closingMs: 3 * SECOND_MS,
} as const;

export type Bounds = { readonly [Name in keyof typeof bounds]: number };
