import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';
import { dataImportKinds } from './import-fields.ts';

/** A file was imported. Its rows have no events of their own. */
export const dataImported = event(
  'data.imported',
  z.object({
    batchId: z.uuid(),
    kind: z.enum(dataImportKinds),
    inserted: z.int(),
    skipped: z.int(),
  }),
);
