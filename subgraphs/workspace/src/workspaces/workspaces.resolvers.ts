import type { MutationResolvers, QueryResolvers, WorkspaceResolvers } from '#generated/schema';
import { findWorkspace, getWorkspace, updateLimits, updateWorkspace } from './workspaces.service.ts';

export const Query = {
  workspace: (_, __, ctx) => getWorkspace(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  updateWorkspace: (_, { input }, ctx) => updateWorkspace(ctx, input),
  updateLimits: (_, { input }, ctx) => updateLimits(ctx, input),
} satisfies MutationResolvers;

export const Workspace = {
  __resolveReference: ({ id }, ctx) => findWorkspace(ctx, id),
} satisfies WorkspaceResolvers;
