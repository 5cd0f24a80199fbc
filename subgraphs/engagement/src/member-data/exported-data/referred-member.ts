/** A member in an answer of another subgraph, whose fields this subgraph adds. */
export interface ReferredMember {
  readonly id: string;
  /** Given where a field is asked for that needs it. */
  readonly emailIndex?: string | null;
}
