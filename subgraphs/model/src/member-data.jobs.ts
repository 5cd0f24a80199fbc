import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { forgetMember } from './member-data.service.ts';

/** Runs after a member was erased. */
export const forgetMemberJob = job(
  'model.forget-member',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetMember(ctx, memberId),
);
