import type { z } from 'zod';
import type { Context } from './context.ts';

/** A unit of background work: it gets ids, re-reads, and may run more than once for one cause. */
export interface Job {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Checks the data and does the work. */
  readonly run: (ctx: Context, data: unknown) => Promise<void>;
  /** Attempts after the first, with exponential back-off; default 5. */
  readonly retryLimit: number;
  /** An attempt that takes longer is given to another worker; default 300 s, of long jobs 12 h. */
  readonly expireInSeconds: number;
  /** Takes minutes or hours: it gets a place of its own, so that no short job waits behind it. */
  readonly isLong: boolean;
}

/** A job with the shape of its data, which a reaction's event must cover. */
export interface JobType<T> extends Job {
  readonly schema: z.ZodType<T>;
}

/** Declares a job; worker/src/tasks.ts lists every one that runs. */
export function job<T>(
  name: string,
  schema: z.ZodType<T>,
  handle: (ctx: Context, data: T) => Promise<void>,
  options: { retryLimit?: number; expireInSeconds?: number; isLong?: boolean } = {},
): JobType<T> {
  return {
    name,
    schema,
    run: (ctx, data) => handle(ctx, schema.parse(data)),
    retryLimit: options.retryLimit ?? 5,
    expireInSeconds: options.expireInSeconds ?? (options.isLong ? 12 * 3_600 : 300),
    isLong: options.isLong ?? false,
  };
}
