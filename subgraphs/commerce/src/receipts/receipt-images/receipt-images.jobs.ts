import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { deleteDueImages } from './receipt-images.service.ts';

/** Runs every day, for all workspaces. */
export const deleteReceiptImagesJob = job(
  'commerce.delete-receipt-images',
  z.object({}),
  async (ctx) => void (await deleteDueImages(ctx)),
  { expireInSeconds: 3_600 },
);
