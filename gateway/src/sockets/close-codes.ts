/** A reason for which a socket ends. */
interface CloseCode {
  readonly code: number;
  /** Text of the close frame: at most 123 bytes. */
  readonly sentence: string;
  /** True if a `graphql-ws` client connects and subscribes again automatically. */
  readonly isRetried: boolean;
}

/**
 * Every close code of the server with its reason. The codes 4400 to 4500 belong to the protocol
 * `graphql-transport-ws`. Our own codes are outside this range, because its client treats the range as final,
 * and reconnecting is right after each of ours.
 */
export const closeCodes = {
  GOING_AWAY: { code: 1001, sentence: 'The server is going away. Connect again.', isRetried: true },
  TRY_AGAIN_LATER: {
    code: 1013,
    sentence: 'Too many connections or requests, or a service is away. Connect again later.',
    isRetried: true,
  },
  MESSAGE_INVALID: {
    code: 4400,
    sentence: 'The message is not one of graphql-transport-ws: JSON as text.',
    isRetried: false,
  },
  CREDENTIAL_REFUSED: {
    code: 4401,
    sentence: 'The credential is missing, not valid or at its end. Connect with a good one.',
    isRetried: false,
  },
  FORBIDDEN: { code: 4403, sentence: 'This credential may not connect here.', isRetried: true },
  SUBPROTOCOL_UNKNOWN: {
    code: 4406,
    sentence: 'Connect with the subprotocol graphql-transport-ws.',
    isRetried: false,
  },
  INIT_LATE: { code: 4408, sentence: 'connection_init did not come within 3 seconds.', isRetried: true },
  OPERATION_ID_TAKEN: {
    code: 4409,
    sentence: 'An operation with this id runs already. Choose another id.',
    isRetried: false,
  },
  INIT_REPEATED: { code: 4429, sentence: 'connection_init came twice.', isRetried: false },
  IDLE: {
    code: 4480,
    sentence: 'No operation for 10 minutes. Connect again when there is one.',
    isRetried: true,
  },
  SLOW_CONSUMER: {
    code: 4481,
    sentence: 'Results are read too slowly. Connect again and read faster, or subscribe to less.',
    isRetried: true,
  },
  INTERNAL: { code: 4500, sentence: 'Something went wrong on our side.', isRetried: false },
} as const satisfies Record<string, CloseCode>;

/** Name of a row of the table. */
export type Ending = keyof typeof closeCodes;

const byCode = new Map(
  Object.entries(closeCodes).map(([name, { code }]) => [code as number, name as Ending]),
);

/** Returns the row of a close code that the protocol's library uses. */
export const endingOf = (code: number | undefined): Ending => byCode.get(code ?? 0) ?? 'INTERNAL';

const REASON_BYTES = 123;

/** Returns the text of the close frame: the error's own message if it fits, otherwise that of the table. */
export function closeReason(ending: Ending, error?: { readonly message: string }): string {
  const fits = error && Buffer.byteLength(error.message) <= REASON_BYTES;
  return fits ? error.message : closeCodes[ending].sentence;
}
