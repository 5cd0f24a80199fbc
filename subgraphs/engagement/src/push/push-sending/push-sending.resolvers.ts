import type { MutationResolvers } from '#generated/schema';
import { sendTestPush } from './test-push.service.ts';

export const Mutation = {
  sendTestPush: (_, { memberId }, ctx) => sendTestPush(ctx, memberId),
} satisfies MutationResolvers;
