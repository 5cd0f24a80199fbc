import type { MemberResolvers } from '#generated/schema';
import { emailEngagement } from './email-engagement.service.ts';

export const Member = {
  emailEngagement: ({ id }, _, ctx) => emailEngagement(ctx, id),
} satisfies MemberResolvers;
