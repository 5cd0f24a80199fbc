import type { MutationResolvers } from '#generated/schema';
import {
  completeMemberSignIn,
  completeMemberSignInByToken,
  startMemberSignIn,
} from './member-sign-in.service.ts';

export const Mutation = {
  startMemberSignIn: (_, { input }, ctx) => startMemberSignIn(ctx, input),
  completeMemberSignIn: (_, { id, code }, ctx) => completeMemberSignIn(ctx, id, code),
  completeMemberSignInByToken: (_, { token }, ctx) => completeMemberSignInByToken(ctx, token),
} satisfies MutationResolvers;
