import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { suppressIndex } from './suppressions.service.ts';

/** Runs after a member withdrew the consent to mail. */
export const suppressAddressJob = job(
  'engagement.suppress-address',
  z.object({ emailIndex: z.string() }),
  async (ctx, { emailIndex }) => void (await suppressIndex(ctx, emailIndex)),
);
