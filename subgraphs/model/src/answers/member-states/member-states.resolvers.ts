import type { MemberResolvers } from '#generated/schema';
import { stateByMember } from './member-states.service.ts';

export const Member = {
  state: ({ id }, _, ctx) => ctx.load(stateByMember, id),
} satisfies MemberResolvers;
