import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import {
  advance,
  beginRun,
  changeToQueued,
  endRun,
  insertImport,
} from '@loyalty/platform/imports/imports.store';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';

/** A kind of long job that is watched while its counters change. */
export interface WatchedJob {
  readonly scopes: readonly string[];
  /** A subscription with `$id`. Its result contains `processed` once and, at the end, `"finishedAt":"…"`. */
  readonly query: string;
  /** A text that every statement which reads the job contains. */
  readonly readBy: string;
  /** Starts a job; `change` and `end` continue it, and resolve when the change is committed. */
  start(ctx: Context): Promise<RunningJob>;
}

export interface RunningJob {
  readonly id: string;
  /** Processes one more row. */
  change(): Promise<void>;
  end(): Promise<void>;
}

const ONE_ROW = { inserted: 1, updated: 0, skipped: 0, failed: 0, position: 1, issues: 0 };

export const watchedImport: WatchedJob = {
  scopes: ['members:read'],
  query: `subscription ($id: ID!) {
    importProgress(id: $id) { id state processed total failed finishedAt inserted requestedBy { name } }
  }`,
  readBy: 'FROM platform.imports',
  async start(ctx) {
    const file = { format: 'CSV', mapping: {}, parts: null, fileName: null } as const;
    const about = { kind: 'MEMBERS', onDuplicate: 'UPDATE', ...file } as const;
    const { id } = await insertImport(ctx, newId(ctx.clock), about);
    await changeToQueued(ctx, id, { parts: 1, bytes: 1, fingerprint: null });
    const run = (await beginRun(ctx, id))!;
    return {
      id,
      change: () =>
        ctx.transaction(async (tx) => {
          await advance(tx, run, ONE_ROW);
          publishProgress(tx, 'import', id);
        }),
      end: () =>
        ctx.transaction(async (tx) => {
          await endRun(tx, run, null);
          publishEnd(tx, 'import', id);
        }),
    };
  },
};
