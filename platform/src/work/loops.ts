import type { Context } from '../context.ts';

/** Work that workers take by themselves: a job of the queue for each piece would cost too much. */
export interface Loop {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Turns that one worker runs at the same time. */
  readonly places: number;
  /** Live channel that ends a wait; null: only time does. */
  readonly wakes: string | null;
  /**
   * Takes a piece of work, if there is one, and does it; any number of workers may do so at once.
   *
   * @param ctx - the product itself, of no workspace
   * @returns milliseconds to wait before the next turn
   */
  readonly turn: (ctx: Context) => Promise<number>;
  /** Finishes what turns have left under way, once no further turn begins. */
  readonly drain?: (ctx: Context) => Promise<void>;
}

/** Declares a loop; it runs once worker/src/loops.ts lists it. */
export const loop = (name: string, options: Omit<Loop, 'name'>): Loop => ({ name, ...options });
