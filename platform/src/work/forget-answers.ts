import { z } from 'zod';
import { forgetAnswersAbout } from '../identity/idempotency.ts';
import { job } from './jobs.ts';

/**
 * Reacts to a member's erasure: a call about it that ran meanwhile may have kept its answer after the erasure
 * looked for such.
 */
export const forgetAnswersJob = job(
  'platform.forget-answers',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetAnswersAbout(ctx, [{ ...ctx.scope, id: memberId }]),
);
