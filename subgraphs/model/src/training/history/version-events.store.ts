import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';

/** What became of a version, also of one that is deleted by now. */
export interface VersionEvent {
  readonly id: string;
  readonly kind: 'TRAINING' | 'ALIGNMENT';
  readonly versionId: string;
  readonly type: string;
  readonly actor: string;
  readonly message: string;
  readonly createdAt: Date;
}

export async function insertVersionEvent(
  tx: Context,
  { kind, versionId, type, message }: Pick<VersionEvent, 'kind' | 'versionId' | 'type' | 'message'>,
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.version_events
       (workspace_id, mode, id, kind, version_id, type, actor, message, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4::model."VersionKind", $5, $6, $7, $8, $9)`,
    [...scopeOf(tx), newId(tx.clock), kind, versionId, type, tx.caller.actor, message, tx.clock.now()],
  );
}

/** Newest first. */
export const latestVersionEvents = (
  ctx: Context,
  kind: VersionEvent['kind'],
  count: number,
): Promise<VersionEvent[]> =>
  ctx.sql.query<VersionEvent>(
    `SELECT e.id, e.kind, e.version_id, e.type, e.actor, e.message, e.created_at
       FROM model.version_events AS e
      WHERE ${inScope('e')} AND e.kind = $3::model."VersionKind"
      ORDER BY e.id DESC LIMIT $4`,
    [...scopeOf(ctx), kind, count],
  );
