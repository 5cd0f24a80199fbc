import { connection } from '@loyalty/platform/database/pages';
import type { ApiKeyResolvers, CallResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import { keyOf } from '../call-log/call-log.events.ts';
import { recentCalls } from '../call-log/call-log.service.ts';
import {
  createApiKey,
  createIntegrationKey,
  createPublishableKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.service.ts';
import { grantableScopes } from './key-scopes.ts';

export const Query = {
  apiKey: (_, { id }, ctx) => findApiKey(ctx, id),
  apiKeys: async (_, args, ctx) => connection(await listApiKeys(ctx, args)),
  scopeCatalog: (_, __, ctx) => grantableScopes(ctx.caller),
} satisfies QueryResolvers;

export const Mutation = {
  createApiKey: (_, { input }, ctx) => createApiKey(ctx, input),
  createIntegrationKey: (_, { name, scopes }, ctx) => createIntegrationKey(ctx, name, scopes),
  createPublishableKey: (_, { input }, ctx) => createPublishableKey(ctx, input),
  rotateApiKey: (_, { id, revokeNow }, ctx) => rotateApiKey(ctx, id, revokeNow ?? false),
  revokeApiKey: (_, { id }, ctx) => revokeApiKey(ctx, id),
} satisfies MutationResolvers;

export const ApiKey = {
  __resolveReference: ({ id }, ctx) => findApiKey(ctx, id),
  createdBy: ({ createdById }, _, ctx) => findUser(ctx, createdById),
  prefix: ({ prefix, lastFour }) => `${prefix}…${lastFour}`,
  recentActivity: async ({ id }, args, ctx) => connection(await recentCalls(ctx, id, args)),
} satisfies ApiKeyResolvers;

export const Call = {
  apiKey: ({ actor }, _, ctx) => {
    const id = keyOf(actor);
    return id ? findApiKey(ctx, id) : null;
  },
} satisfies CallResolvers;
