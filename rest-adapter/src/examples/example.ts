/** A request and the answer to it, as an integration would send and get them. */
export interface Example {
  /** What the operation does, where the graph's description of its first field does not fit. */
  readonly about?: string;
  /** Absent where the request has no body. */
  readonly body?: unknown;
  readonly reply: unknown;
}
