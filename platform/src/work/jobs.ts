import type { z } from 'zod';
import type { Context } from '../context.ts';

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
  /** Takes minutes or hours of one workspace, which has one such job at a time; small ones come first. */
  readonly isLong: boolean;
  /** How many jobs of this kind a worker runs at the same time, apart from others; null is as usual. */
  readonly atOnce: number | null;
  /** About how many rows a long job is about; null where nobody can tell. */
  readonly size: (data: unknown) => number | null;
  /** Notes why the work was given up once all attempts have failed, so that somebody may start it again. */
  readonly onExhausted: ((ctx: Context, data: unknown, failure: string) => Promise<void>) | null;
}

/** A job that knows the type of its data: the payload of every event that leads to it must be assignable. */
export interface JobType<T> extends Job {
  /** Does the work of data that were checked. */
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

/** Declares a job; it runs once worker/src/reactions.ts or worker/src/schedule.ts lists it. */
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
