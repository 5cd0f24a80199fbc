import type { Context } from '../context.ts';
import type { Snapshots } from '../subscriptions/snapshots.ts';
import { watchSnapshot } from '../subscriptions/watch-snapshot.ts';
import { findImport, type Import } from './imports.store.ts';

/** The import as it is now and after its changes, until it has ended; see `watchSnapshot`. */
export const watchImport = (ctx: Context, id: string): Snapshots<Import> =>
  watchSnapshot(ctx, {
    noun: 'import',
    id,
    read: (each) => findImport(each, id),
    isEnded: ({ finishedAt }) => finishedAt !== null,
  });
