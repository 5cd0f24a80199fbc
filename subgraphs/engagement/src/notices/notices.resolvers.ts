import type { MutationResolvers } from '#generated/schema';
import { receiveEmailNotice } from './notices.service.ts';

export const Mutation = {
  receiveEmailNotice: async (_, notice, ctx) => {
    await receiveEmailNotice(ctx, notice);
    return true;
  },
} satisfies MutationResolvers;
