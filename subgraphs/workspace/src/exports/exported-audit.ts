import { instantsOf } from '@loyalty/platform/database/day-range';
import type { ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { listAudit } from '@loyalty/platform/identity/audit';
import { z } from 'zod';
import { auditExportRequested } from './exports.events.ts';

const filter = z.object({
  resourceType: z.string().optional(),
  resourceId: z.string().optional(),
  actor: z.string().optional(),
  action: z.string().optional(),
  /** Days; both count. */
  from: z.string().optional(),
  to: z.string().optional(),
});

/** Exports the audit log, sorted by the ids of its entries, which never change. */
export const exportedAudit: ExportDefinition<z.infer<typeof filter>> = {
  kind: 'AUDIT',
  columns: [
    ...['id', 'created_at', 'actor', 'action', 'resource_type', 'resource_id'],
    ...['before', 'after', 'request_id'],
  ],
  filter,
  job: 'workspace.export-audit',
  requested: auditExportRequested,
  async open(ctx, { from, to, ...conditions }) {
    const wanted = { ...conditions, ...(await instantsOf(ctx, 'filter.from', from, to)) };
    const first = { size: 1, cursorId: null, isBackward: false, offset: 0 };
    return {
      count: async () => (await listAudit(ctx, first, wanted)).total(),
      async read(tx, cursorId, size) {
        const { rows, hasNextPage } = await listAudit(tx, { ...first, size, cursorId }, wanted);
        return {
          rows: rows.map((entry) => [
            ...[entry.id, entry.createdAt, entry.actor, entry.action, entry.resourceType, entry.resourceId],
            ...[entry.before ?? null, entry.after ?? null, entry.requestId],
          ]),
          after: hasNextPage ? rows.at(-1)!.id : null,
        };
      },
    };
  },
};
