import { concurrencyLimit } from '@loyalty/platform/base/concurrency-limit';
import { uploadsBusy } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { DataImportInput } from './data-imports.input.ts';

/** Length of a small file, in characters: it needs little memory and does not wait. */
export const SMALL_LENGTH = 256 * 1024;
/** Concurrent large files in one process: the rows of one take up to 100 MB during the import. */
export const FILES_AT_ONCE = 2;
/** Large files that may wait: about 15 s of work. */
export const FILES_WAITING = 8;

const limited = concurrencyLimit({
  runningMax: FILES_AT_ONCE,
  waitingMax: FILES_WAITING,
  busy: uploadsBusy,
});

/**
 * Does the work on a file when its turn comes. The caller must hold no resource that earlier files may need,
 * such as a transaction.
 *
 * @throws AppError UPLOADS_BUSY (503, with Retry-After)
 */
export const inFileTurn = <Result>(
  ctx: Context,
  { content }: DataImportInput,
  work: () => Promise<Result>,
): Promise<Result> => (content.length <= SMALL_LENGTH ? work() : limited(work, ctx.request.signal));
