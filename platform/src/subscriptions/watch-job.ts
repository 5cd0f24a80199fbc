import type { UnknownNoun } from '../base/error-reasons.ts';
import { notFound } from '../base/errors.ts';
import type { Context } from '../context.ts';
import type { Snapshots } from './snapshots.ts';
import { watchSnapshot } from './watch-snapshot.ts';

/** A kind of long job. */
export interface WatchableJob<T> {
  /** As in payloads: `bulkAward` for `bulkAwardId`. */
  readonly noun: string;
  /** Null where the caller's workspace and mode have none with this id. */
  readonly find: (ctx: Context, id: string) => Promise<T | null>;
}

/**
 * A job as it is now and after its changes, until it has finished; see `watchSnapshot`.
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

/** `bulk award` of `bulkAward`. */
const wordsOf = (noun: string): string => noun.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
