import { connection } from '@loyalty/platform/database/pages';
import type {
  AnalysisResolvers,
  MemberResolvers,
  MemberStatePageResolvers,
  MemberStateResolvers,
  QueryResolvers,
} from '#generated/schema';
import { listAnalyses } from './analyses.service.ts';
import { listStates, memberSignals, stateByMember, stateJson } from './member-states.service.ts';

export const Query = {
  memberState: (_, { memberId }, ctx) => ctx.load(stateByMember, memberId),
  memberStates: (_, args, ctx) => listStates(ctx, args),
  _memberSignals: (_, { memberIds }, ctx) => memberSignals(ctx, memberIds),
} satisfies QueryResolvers;

export const Member = {
  state: ({ id }, _, ctx) => ctx.load(stateByMember, id),
  analyses: async ({ id }, args, ctx) => {
    const found = await listAnalyses(ctx, id, args);
    return found && connection(found);
  },
} satisfies MemberResolvers;

export const MemberState = {
  result: stateJson,
} satisfies MemberStateResolvers;

export const MemberStatePage = {
  states: ({ rows }) => [...rows],
} satisfies MemberStatePageResolvers;

export const Analysis = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies AnalysisResolvers;
