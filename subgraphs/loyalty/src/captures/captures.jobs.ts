import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { forgetCaptures, linkCaptures } from './captures.service.ts';

const member = z.object({ memberId: z.uuid() });

/**
 * For a member whose erasure was requested, while the address is still known: captures that were made before
 * the member joined are linked now, later ones were linked when they were made.
 */
export const linkCapturesJob = job('loyalty.link-captures', member, (ctx, { memberId }) =>
  linkCaptures(ctx, memberId),
);

/** For a member who was erased. */
export const forgetCapturesJob = job('loyalty.forget-captures', member, (ctx, { memberId }) =>
  forgetCaptures(ctx, memberId),
);
