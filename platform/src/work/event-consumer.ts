import type { Context } from '../context.ts';
import type { PublishedEvent } from './events.ts';

/**
 * Takes events in the transaction in which the relay passes them on: for what a job for each event would make
 * slow. It writes its own rows, set-based, and asks no other subgraph.
 */
export interface EventConsumer {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Types of the events that it takes. */
  readonly types: ReadonlySet<string>;
  /**
   * @param tx - the product itself, of no workspace, in the relay's transaction
   * @param events - at least one, of any workspaces; each is handed over once, nearly in the order of commits
   */
  readonly take: (tx: Context, events: readonly PublishedEvent[]) => Promise<void>;
}
