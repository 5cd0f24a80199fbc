import type { Context } from '../context.ts';
import type { Snapshots } from '../subscriptions/snapshots.ts';
import { watchSnapshot } from '../subscriptions/watch-snapshot.ts';
import { findImport, type Import } from './imports.store.ts';

/** Watches an import: its state now and after every change, until it has ended; see `watchSnapshot`. */
export const watchImport = (ctx: Context, id: string): Snapshots<Import> =>
  watchSnapshot(ctx, {
    noun: 'import',
    id,
    read: (each) => findImport(each, id),
    isEnded: ({ finishedAt }) => finishedAt !== null,
  });
