import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { suppressIndex } from './suppressions.service.ts';

/** For loyalty's event of a member that withdrew its consent to mail. */
export const suppressAddressJob = job(
  'engagement.suppress-address',
  z.object({ emailIndex: z.string() }),
  async (ctx, { emailIndex }) => void (await suppressIndex(ctx, emailIndex)),
);
