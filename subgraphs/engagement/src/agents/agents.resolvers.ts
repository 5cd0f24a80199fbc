import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  AgentDefinitionResolvers,
  AgentVersionResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { blueprintJsonSchema } from './agent-definition.ts';
import { agentVersionOf, findAgent, listAgents, listAgentVersions } from './agents.service.ts';
import { archiveAgent, createAgent, updateAgent } from './edit-agent.service.ts';

export const Query = {
  agents: async (_, args, ctx) => connection(await listAgents(ctx, args)),
  agent: (_, { id }, ctx) => findAgent(ctx, id),
  agentBlueprintSchema: () => ({ ...blueprintJsonSchema }),
} satisfies QueryResolvers;

export const Mutation = {
  createAgent: (_, { input }, ctx) => createAgent(ctx, input),
  updateAgent: (_, { id, input }, ctx) => updateAgent(ctx, id, input),
  archiveAgent: (_, { id, isArchived }, ctx) => archiveAgent(ctx, id, isArchived),
} satisfies MutationResolvers;

export const AgentDefinition = {
  __resolveReference: ({ id }, ctx) => findAgent(ctx, id),
  version: ({ id, version }, _, ctx) => agentVersionOf(ctx, id, version),
  versions: async (agent, args, ctx) => connection(await listAgentVersions(ctx, agent, args)),
  createdBy: ({ actor }) => userOf(actor),
} satisfies AgentDefinitionResolvers;

export const AgentVersion = {
  createdBy: ({ actor }) => userOf(actor),
} satisfies AgentVersionResolvers;
