import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

const LIVE = `('SCHEDULED', 'SENDING', 'PAUSED')`;

export const campaignsWithSegment = (
  ctx: Context,
  segmentId: string,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  ctx.sql.query(
    `SELECT id, name FROM engagement.campaigns
      WHERE ${inScope()} AND status IN ${LIVE} AND ($3 = ANY(include_ids) OR $3 = ANY(exclude_ids))
      ORDER BY id`,
    [...scopeOf(ctx), segmentId],
  );
