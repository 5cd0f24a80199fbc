import type { Context } from '../context.ts';
import type { PublishedEvent } from './events.ts';

/**
 * Handles events within the relay's transaction. For cases in which one job per event would be too slow. A
 * consumer writes only its own rows, in set-based statements, and calls no other subgraph.
 */
export interface EventConsumer {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Types of the handled events. */
  readonly types: ReadonlySet<string>;
  /**
   * @param tx - the system without a workspace, in the relay's transaction
   * @param events - at least one, of any workspaces; each is passed once, nearly in commit order
   */
  readonly take: (tx: Context, events: readonly PublishedEvent[]) => Promise<void>;
}
