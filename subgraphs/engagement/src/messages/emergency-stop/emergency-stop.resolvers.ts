import type { MutationResolvers } from '#generated/schema';
import { setSendingStopped } from './emergency-stop.service.ts';

export const Mutation = {
  setSendingStopped: (_, { stopped }, ctx) => setSendingStopped(ctx, stopped),
} satisfies MutationResolvers;
