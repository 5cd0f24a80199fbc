import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { forgetCaptures, linkCaptures } from './captures.service.ts';

const member = z.object({ memberId: z.uuid() });

/**
 * Runs when a member's erasure is requested, while the address is still known: captures from before the
 * member joined are linked now; later ones were linked when they were created.
 */
export const linkCapturesJob = job('loyalty.link-captures', member, (ctx, { memberId }) =>
  linkCaptures(ctx, memberId),
);

/** Runs after a member was erased. */
export const forgetCapturesJob = job('loyalty.forget-captures', member, (ctx, { memberId }) =>
  forgetCaptures(ctx, memberId),
);
