import { invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { insertVersionEvent, latestVersionEvents, type VersionEvent } from './version-events.store.ts';

export type { VersionEvent };

const LISTED = 50;
const LISTED_MAX = 200;

/** Acts of people and workers on versions, with their action in the audit; null is not audited. */
const actions = {
  uploaded: 'uploadVersion',
  proposed: 'proposeAlignment',
  queued: 'startVersion',
  started: null,
  cancelled: 'cancelVersion',
  failed: null,
  report_ready: null,
  stale: null,
  approved: 'approveReport',
  rejected: 'rejectReport',
  published: 'publishVersion',
  unpublished: 'unpublishVersion',
  deleted: 'deleteVersion',
} as const;

export type VersionEventType = keyof typeof actions;

/**
 * Records an event of a version in the transaction of the change; acts of people are audited, too.
 *
 * @param about.after - for the audit; no personal data
 */
export async function noteVersionEvent(
  tx: Context,
  { id, kind }: { readonly id: string; readonly kind: VersionEvent['kind'] },
  type: VersionEventType,
  about: { readonly message: string; readonly after?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await insertVersionEvent(tx, { kind, versionId: id, type, message: about.message });
  const action = actions[type];
  if (!action) return;
  const after = { kind, ...about.after };
  await audit(tx, { action, resourceType: 'ModelVersion', resourceId: id, after });
}

/**
 * Returns the events of the versions of a kind, newest first.
 *
 * @param first - 1 to 200; default 50
 * @throws AppError VALIDATION_FAILED (400)
 * @remarks Source: model API, section 6; requirements M-TRN-11, M-ALN-11
 */
export async function listVersionEvents(
  ctx: Context,
  kind: VersionEvent['kind'],
  first?: number | null,
): Promise<VersionEvent[]> {
  const count = first ?? LISTED;
  if (count < 1 || count > LISTED_MAX) throw invalid('first', between(1, LISTED_MAX));
  return latestVersionEvents(ctx, kind, count);
}
