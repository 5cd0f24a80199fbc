import type { QueryResolvers } from '#generated/schema';
import { memberRefs } from './member-refs.service.ts';

export const Query = {
  _memberRefs: (_, wanted, ctx) => memberRefs(ctx, wanted),
} satisfies QueryResolvers;
