import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

/** An event of a version; the version may be deleted by now. */
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
  const made = { id: newId(tx.clock), actor: tx.caller.actor, createdAt: tx.clock.now() };
  await tx.prisma.versionEvent.createMany({ data: [{ kind, versionId, type, message, ...made }] });
}

const select = columns('id', 'kind', 'versionId', 'type', 'actor', 'message', 'createdAt');

/** Returns the latest events, newest first. */
export const latestVersionEvents = (
  ctx: Context,
  kind: VersionEvent['kind'],
  count: number,
): Promise<VersionEvent[]> =>
  ctx.prisma.versionEvent.findMany({ where: { kind }, select, orderBy: { id: 'desc' }, take: count });
