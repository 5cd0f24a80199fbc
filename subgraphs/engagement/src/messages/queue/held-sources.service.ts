import type { Context } from '@loyalty/platform/context';
import { deleteHeld, findHeld, findStopped, insertHeld } from './held-sources.store.ts';

/** Those of the sources of which nothing is sent, and whether they are cancelled. */
export const heldSources = async (
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> =>
  sourceIds.length === 0 ? new Map() : findHeld(ctx, [...new Set(sourceIds)]);

/** Does the workspace send no marketing, nor anything of campaigns, journeys and automations? */
export const isSendingStopped = async (ctx: Context): Promise<boolean> => (await findStopped(ctx)) !== null;

/** Notes that nothing of a source is sent, until `releaseSource` or for ever. */
export const holdSource = (
  tx: Context,
  sourceId: string,
  { forever }: { readonly forever: boolean },
): Promise<void> => insertHeld(tx, sourceId, forever);

/** Notes that messages of a source may be sent again, unless they are held for ever. */
export const releaseSource = (tx: Context, sourceId: string): Promise<void> => deleteHeld(tx, sourceId);
