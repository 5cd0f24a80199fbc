import { MINUTE_MS, SECOND_MS } from '@loyalty/platform/clock';
import { limits } from '../admission/limits.ts';

const MEBIBYTE = 1_024 * 1_024;

/** What sockets and event streams may take, so that no client exhausts the process. */
export const bounds = {
  /** From the handshake to `connection_init`. */
  initMs: 3 * SECOND_MS,
  /** Between two signs of life; who left the last one unanswered is cut off. */
  pingMs: 15 * SECOND_MS,
  /** A socket without any operation is closed. */
  idleMs: 10 * MINUTE_MS,
  /** One message from a client: the same as a body over HTTP. */
  messageBytes: limits.bodyBytes,
  operationsPerSocket: 100,
  /** Messages whose operations still run: their variables live as long as they do. */
  operationBytesPerSocket: MEBIBYTE,
  /** Sockets and streams of one credential, or of one address where nobody has signed in. */
  connectionsPerOwner: 200,
  /** What may wait in a socket for its client; above it nothing more is read from the client. */
  bufferedBytes: MEBIBYTE,
  /** A client that leaves that much waiting for as long is too slow. */
  slowMs: 10 * SECOND_MS,
  /** While nobody can say whether a credential still holds, its connections live on for so long. */
  staleMs: MINUTE_MS,
  /** PresentedCredentials looked up again in one sweep after live events were interrupted. */
  rechecksPerSweep: 500,
  /** How often connections are looked over. */
  sweepMs: SECOND_MS,
  /** Running queries and mutations may take so long when the server goes. */
  drainMs: 8 * SECOND_MS,
  /** For a client to answer that it closes; after it the connection is cut. */
  closingMs: 3 * SECOND_MS,
} as const;

export type Bounds = { readonly [Name in keyof typeof bounds]: number };
