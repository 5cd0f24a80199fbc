import { z } from 'zod';
import type { Context } from '../context.ts';
import { type JobType, job } from '../outbox/jobs.ts';
import { type ImportTarget, runImport } from './import-run.ts';
import { giveUpImport } from './imports.service.ts';
import type { Import } from './imports.store.ts';

const data = z.object({ importId: z.uuid(), bytes: z.int().nonnegative().optional() });

/** Bytes that a row takes, about. */
const ROW_BYTES = 100;

/** Writes the rows of a file; tried again for hours, because it goes on where it stopped. */
export const importJob = <Row>(
  name: string,
  open: (ctx: Context, job: Import) => Promise<ImportTarget<Row>>,
): JobType<z.infer<typeof data>> =>
  job(name, data, (ctx, { importId }) => runImport(ctx, importId, open), {
    isLong: true,
    retryLimit: 20,
    size: ({ bytes }) => (bytes === undefined ? null : bytes / ROW_BYTES),
    onExhausted: (ctx, { importId }, failure) => giveUpImport(ctx, importId, failure),
  });
