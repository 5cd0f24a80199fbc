import type { Context } from '../context.ts';

/** Work that workers fetch themselves, because one queue job per piece would cost too much. */
export interface Loop {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Number of turns that one worker runs at the same time. */
  readonly places: number;
  /** Live channel that ends a wait early; null if only time does. */
  readonly wakes: string | null;
  /**
   * Takes and does a piece of work, if there is one. Any number of workers may do so at the same time.
   *
   * @param ctx - the system without a workspace
   * @returns milliseconds to wait before the next turn
   */
  readonly turn: (ctx: Context) => Promise<number>;
  /** Finishes work that turns have left in progress, after the last turn. */
  readonly drain?: (ctx: Context) => Promise<void>;
}

/** Declares a loop. It only runs if worker/src/loops.ts lists it. */
export const loop = (name: string, options: Omit<Loop, 'name'>): Loop => ({ name, ...options });
