import { connection, pageRequest } from '@loyalty/platform/loading/pages';
import { listAudit } from '@loyalty/platform/operations/audit';
import { instantsOf } from '@loyalty/platform/values/day-range';
import type { AuditEntryResolvers, QueryResolvers } from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';

export const Query = {
  auditLog: async (_, { resourceType, resourceId, actor, action, from, to, ...paging }, ctx) => {
    const days = await instantsOf(ctx, 'from', from, to);
    const filter = { resourceType, resourceId, actor, action, ...days };
    return connection(await listAudit(ctx, pageRequest(paging), filter));
  },
} satisfies QueryResolvers;

export const AuditEntry = {
  user: ({ actor }, _, ctx) =>
    actor.startsWith('user:') ? findUser(ctx, actor.slice('user:'.length)) : null,
} satisfies AuditEntryResolvers;
