import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { eraseDueMembers, markInactiveMembers, markUnsubscribed } from './member-status.service.ts';

/** Runs every hour, for all workspaces. */
export const eraseDueMembersJob = job(
  'loyalty.erase-due-members',
  z.object({}),
  async (ctx) => void (await eraseDueMembers(ctx)),
  { expireInSeconds: 3_600 },
);

/** Runs every night, for all workspaces. */
export const markInactiveMembersJob = job(
  'loyalty.mark-inactive-members',
  z.object({}),
  async (ctx) => void (await markInactiveMembers(ctx)),
  { expireInSeconds: 3_600 },
);

/** Runs after engagement suppressed an address. */
export const markUnsubscribedJob = job(
  'loyalty.mark-unsubscribed',
  z.object({ emailIndex: z.string() }),
  (ctx, { emailIndex }) => markUnsubscribed(ctx, emailIndex),
);
