import { z } from 'zod';
import { forgetAnswersAbout } from '../identity/idempotency.ts';
import { job } from './jobs.ts';

/**
 * Reacts to a member's erasure. A concurrent call about the member may have stored its answer after the
 * erasure deleted stored answers.
 */
export const forgetAnswersJob = job(
  'platform.forget-answers',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetAnswersAbout(ctx, [{ ...ctx.scope, id: memberId }]),
);
