import type {
  MemberResolvers,
  MemberStatePageResolvers,
  MemberStateResolvers,
  QueryResolvers,
} from '#generated/schema';
import { listStates, stateByMember } from './member-states.service.ts';
import { stateJson } from './state-json.ts';

export const Query = {
  memberState: (_, { memberId }, ctx) => ctx.load(stateByMember, memberId),
  memberStates: (_, args, ctx) => listStates(ctx, args),
} satisfies QueryResolvers;

export const Member = {
  state: ({ id }, _, ctx) => ctx.load(stateByMember, id),
} satisfies MemberResolvers;

export const MemberState = {
  result: stateJson,
} satisfies MemberStateResolvers;

export const MemberStatePage = {
  states: ({ rows }) => [...rows],
} satisfies MemberStatePageResolvers;
