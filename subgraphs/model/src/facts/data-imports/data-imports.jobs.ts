import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { prunePreviews } from './data-imports.service.ts';

/** Due every hour, for all workspaces. */
export const pruneDataImportPreviewsJob = job('model.prune-data-import-previews', z.object({}), (ctx) =>
  prunePreviews(ctx),
);
