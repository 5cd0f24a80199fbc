import type { z } from 'zod';
import type { Context } from '../context.ts';

/**
 * A unit of background work. It receives ids, reads current data, and may run more than once for one cause.
 */
export interface Job {
  /** `subgraph.verb-noun`. */
  readonly name: string;
  /** Validates the data and does the work. */
  readonly run: (ctx: Context, data: unknown) => Promise<void>;
  /** Maximum of retries, with exponential back-off; default 5. */
  readonly retryLimit: number;
  /** Seconds after which an attempt is given to another worker; default 300, for long jobs 12 hours. */
  readonly expireInSeconds: number;
  /**
   * True if the job takes minutes or hours. A workspace runs only one long job at a time; small ones come
   * first.
   */
  readonly isLong: boolean;
  /**
   * Maximum of jobs of this kind that a worker runs at the same time, separately from others; null for the
   * default.
   */
  readonly atOnce: number | null;
  /** Approximate number of rows of a long job; null if unknown. */
  readonly size: (data: unknown) => number | null;
  /** Called after all attempts have failed. Records the reason, so that a person can start the work again. */
  readonly onExhausted: ((ctx: Context, data: unknown, failure: string) => Promise<void>) | null;
}

/** A job with typed data. The payload of every event that starts it must be assignable to the type. */
export interface JobType<T> extends Job {
  /** Does the work with validated data. */
  readonly handle: (ctx: Context, data: T) => Promise<void>;
}

interface JobOptions<T> {
  readonly retryLimit?: number;
  readonly expireInSeconds?: number;
  readonly isLong?: boolean;
  readonly atOnce?: number;
  readonly size?: (data: T) => number | null;
  readonly onExhausted?: (ctx: Context, data: T, failure: string) => Promise<void>;
}

const LONG_SECONDS = 12 * 3_600;

/** Declares a job. It only runs if worker/src/reactions.ts or worker/src/schedule.ts lists it. */
export function job<T>(
  name: string,
  schema: z.ZodType<T>,
  handle: (ctx: Context, data: T) => Promise<void>,
  options: JobOptions<T> = {},
): JobType<T> {
  const { isLong = false, atOnce = null, size, onExhausted } = options;
  return {
    name,
    handle,
    run: (ctx, data) => handle(ctx, schema.parse(data)),
    retryLimit: options.retryLimit ?? 5,
    expireInSeconds: options.expireInSeconds ?? (isLong || atOnce ? LONG_SECONDS : 300),
    isLong,
    atOnce,
    size: (data) => size?.(schema.parse(data)) ?? null,
    onExhausted: onExhausted ? (ctx, data, failure) => onExhausted(ctx, schema.parse(data), failure) : null,
  };
}
