import type { MemberResolvers } from '#generated/schema';
import { emailEngagement } from './email-engagement.service.ts';

export const Member = {
  emailEngagement: () => emailEngagement(),
} satisfies MemberResolvers;
