import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { uuid } from '@loyalty/platform/base/input-rules';
import { instantsOf } from '@loyalty/platform/database/day-range';
import type { ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { z } from 'zod';
import { countEntries, entriesBehind } from '../points/points.service.ts';
import { pointsExportRequested } from './exports.events.ts';

const text = z.string().optional();
/** `from` and `to` are days; both count. */
const filter = z.object({ memberId: text, from: text, to: text });

/** Exports ledger entries, sorted by id, which never changes. */
export const exportedPoints: ExportDefinition<z.infer<typeof filter>> = {
  kind: 'POINTS',
  columns: [
    ...['id', 'member_id', 'kind', 'amount', 'balance_after', 'description', 'source', 'actor'],
    ...['reversal_of', 'created_at'],
  ],
  filter,
  job: 'loyalty.export-points',
  requested: pointsExportRequested,
  async open(ctx, { memberId = null, from, to }) {
    if (memberId !== null && !isUuid(memberId)) throw invalid('filter.memberId', uuid);
    const wanted = { memberId, ...(await instantsOf(ctx, 'filter.from', from, to)) };
    return {
      count: () => countEntries(ctx, wanted),
      async read(tx, after, size) {
        const entries = await entriesBehind(tx, wanted, after, size);
        return {
          rows: entries.map((entry) => [
            ...[entry.id, entry.memberId, entry.kind, entry.amount, entry.balanceAfter, entry.description],
            ...[entry.source, entry.actor, entry.reversesId ?? null, entry.createdAt],
          ]),
          after: entries.length === size ? entries.at(-1)!.id : null,
        };
      },
    };
  },
};
