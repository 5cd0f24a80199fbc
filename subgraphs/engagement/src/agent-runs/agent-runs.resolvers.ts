import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  AgentRunEventResolvers,
  AgentRunResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { findAgent } from '../agents/agents.service.ts';
import { type AgentRun as AgentRunRow, toUsd } from './agent-run.ts';
import { answerOf, approvalOf, findRun, listRunEvents, listRuns, watchRun } from './agent-runs.service.ts';
import { recordToolCall } from './mirroring.service.ts';
import { approveAgentStep, cancelAgentRun, startAgentRun } from './steering.service.ts';

export const Query = {
  agentRuns: async (_, args, ctx) => connection(await listRuns(ctx, args)),
  agentRun: (_, { id }, ctx) => findRun(ctx, id),
} satisfies QueryResolvers;

export const AgentRun = {
  __resolveReference: ({ id }, ctx) => findRun(ctx, id),
  definition: async ({ definitionId }, _, ctx) => (await findAgent(ctx, definitionId))!,
  definitionVersion: ({ version }) => version,
  usd: ({ usdMicros }) => toUsd(usdMicros),
  answer: (run, _, ctx) => answerOf(ctx, run),
  approval: (run, _, ctx) => approvalOf(ctx, run),
  events: async (run, args, ctx) => connection(await listRunEvents(ctx, run, args)),
  startedBy: ({ actor }) => userOf(actor),
} satisfies AgentRunResolvers;

export const AgentRunEvent = {
  definitionVersion: ({ version }) => version,
  intent: ({ data }) => data.intent ?? null,
  sources: ({ data }) => data.sources?.slice() ?? null,
  model: ({ data }) => data.model ?? null,
  skill: ({ data }) => data.skill ?? null,
  tool: ({ data }) => data.tool ?? null,
  args: ({ data }) => data.args ?? null,
  result: ({ data }) => data.result ?? null,
  ok: ({ data }) => data.ok ?? null,
  reason: ({ data }) => data.reason ?? null,
  tokens: ({ data }) => data.tokens ?? null,
  usd: ({ data }) => data.usd ?? null,
  calls: ({ data }) => data.calls ?? null,
  by: ({ data }) => data.by ?? null,
  outcome: ({ data }) => data.outcome ?? null,
} satisfies AgentRunEventResolvers;

export const Subscription = {
  agentRunChanged: {
    subscribe: (_, { id }, ctx) => watchRun(ctx, id),
    resolve: (run: AgentRunRow) => run,
  },
} satisfies SubscriptionResolvers;

export const Mutation = {
  startAgentRun: (_, { input }, ctx) => startAgentRun(ctx, input),
  cancelAgentRun: (_, { id }, ctx) => cancelAgentRun(ctx, id),
  approveAgentStep: (_, decision, ctx) => approveAgentStep(ctx, decision),
  recordToolCall: (_, { input }, ctx) => recordToolCall(ctx, input),
} satisfies MutationResolvers;
