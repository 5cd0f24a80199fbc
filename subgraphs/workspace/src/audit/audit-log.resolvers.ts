import { instantsOf } from '@loyalty/platform/database/day-range';
import { connection, pageRequest } from '@loyalty/platform/database/pages';
import { listAudit } from '@loyalty/platform/identity/audit';
import type { AuditEntryResolvers, QueryResolvers } from '#generated/schema';
import { findApiKey } from '../access/api-keys.service.ts';
import { findUser } from '../accounts/accounts.service.ts';
import { subjectOf } from './audit-log.service.ts';

export const Query = {
  auditLog: async (_, { resourceType, resourceId, actor, action, from, to, ...paging }, ctx) => {
    const days = await instantsOf(ctx, 'from', from, to);
    const filter = { resourceType, resourceId, actor, action, ...days };
    return connection(await listAudit(ctx, pageRequest(paging), filter));
  },
} satisfies QueryResolvers;

const idOf = (actor: string, kind: 'user' | 'key'): string | null =>
  actor.startsWith(`${kind}:`) ? actor.slice(kind.length + 1) : null;

export const AuditEntry = {
  user: ({ actor }, _, ctx) => {
    const id = idOf(actor, 'user');
    return id ? findUser(ctx, id) : null;
  },
  apiKey: ({ actor }, _, ctx) => {
    const id = idOf(actor, 'key');
    return id ? findApiKey(ctx, id) : null;
  },
  subject: (entry, _, ctx) => subjectOf(ctx, entry),
} satisfies AuditEntryResolvers;
