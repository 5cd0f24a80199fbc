import type { Context } from '@loyalty/platform/context';
import { type EmailEngagement, engagementByMember } from './email-engagement.store.ts';

const NONE: EmailEngagement = { sent: 0, opened: 0, clicked: 0, lastClickAt: null };

/** How a member reacted to mail; members of a page load together. */
export const emailEngagement = async (ctx: Context, memberId: string): Promise<EmailEngagement> =>
  (await ctx.load(engagementByMember, memberId)) ?? NONE;
