import type { UnknownNoun } from '../base/error-reasons.ts';
import { notFound } from '../base/errors.ts';
import type { Context } from '../context.ts';
import type { Snapshots } from './snapshots.ts';
import { watchSnapshot } from './watch-snapshot.ts';

/** A kind of long job that can be watched. */
export interface WatchableJob<T> {
  /** Noun as in payloads: `bulkAward` for `bulkAwardId`. */
  readonly noun: string;
  /** Returns null if the caller's workspace and mode have no job with this id. */
  readonly find: (ctx: Context, id: string) => Promise<T | null>;
}

/**
 * Watches a job: its state now and after every change, until it has finished; see `watchSnapshot`.
 *
 * @throws AppError NOT_FOUND (404), with a code such as BULK_AWARD_NOT_FOUND
 */
export async function watchJob<T extends { readonly finishedAt: Date | null }>(
  ctx: Context,
  id: string,
  { noun, find }: WatchableJob<T>,
): Promise<Snapshots<T>> {
  if (!(await find(ctx, id))) throw notFound(wordsOf(noun) as UnknownNoun, id);
  return watchSnapshot(ctx, {
    noun,
    id,
    read: (each) => find(each, id),
    isEnded: ({ finishedAt }) => finishedAt !== null,
  });
}

/** Converts `bulkAward` to `bulk award`. */
const wordsOf = (noun: string): string => noun.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
