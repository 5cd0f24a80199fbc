import { actorId, type Caller } from '@loyalty/platform/base/caller';
import type { QueryResolvers, SubscriptionResolvers, ViewerResolvers } from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import { signInExpiresAt } from '../sessions/sessions.service.ts';
import { getWorkspace } from '../workspaces/workspaces.service.ts';
import { findApiKey } from './api-keys.service.ts';
import { resolveCaller, watchCaller } from './callers.service.ts';

export const Query = {
  _caller: async (_, presented, ctx) => ({ ...(await resolveCaller(ctx, presented)) }),
  viewer: (_, __, ctx) => ctx.caller,
} satisfies QueryResolvers;

export const Subscription = {
  viewerChanged: {
    subscribe: (_, __, ctx) => watchCaller(ctx),
    resolve: (caller: Caller) => caller,
  },
} satisfies SubscriptionResolvers;

const idIf = (caller: Caller, kind: Caller['kind']): string | null =>
  caller.kind === kind ? actorId(caller) : null;

export const Viewer = {
  kind: ({ kind }) => kind as 'KEY' | 'USER' | 'MEMBER',
  workspace: (_, __, ctx) => getWorkspace(ctx),
  sessionExpiresAt: ({ session }) => (session ? new Date(session.expiresAt) : null),
  signInExpiresAt: ({ session }) => (session ? signInExpiresAt(session) : null),
  user: (caller, _, ctx) => {
    const id = idIf(caller, 'USER');
    return id ? findUser(ctx, id) : null;
  },
  apiKey: (caller, _, ctx) => {
    const id = idIf(caller, 'KEY');
    return id ? findApiKey(ctx, id) : null;
  },
} satisfies ViewerResolvers;
