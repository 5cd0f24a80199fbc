import { connection, pageRequest } from '@loyalty/platform/loading/pages';
import { listAudit } from '@loyalty/platform/operations/audit';
import type { AuditEntryResolvers, QueryResolvers } from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';

export const Query = {
  auditLog: async (_, { resourceType, resourceId, ...paging }, ctx) =>
    connection(
      await listAudit(ctx, pageRequest(paging), {
        resourceType: resourceType ?? null,
        resourceId: resourceId ?? null,
      }),
    ),
} satisfies QueryResolvers;

export const AuditEntry = {
  user: ({ actor }, _, ctx) =>
    actor.startsWith('user:') ? findUser(ctx, actor.slice('user:'.length)) : null,
} satisfies AuditEntryResolvers;
