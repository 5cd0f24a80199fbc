import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { throttled } from '@loyalty/platform/live/throttled';

/** Live channel that wakes who sends messages. */
export const MESSAGES_CHANNEL = 'messages';

/** Who watches a source reads its counts again this often at most. */
const INTERVAL_MS = 250;

/** Live channel of a campaign, journey or automation: its messages moved. */
export const sourceChannel = ({ workspaceId, mode }: Scope, sourceId: string): string =>
  `message-source:${workspaceId}:${mode}:${sourceId}`;

const publish = throttled(INTERVAL_MS, ({ live }, channel) => live.publish(channel, 'moved'));

/** Notifies who watches these sources, once what the caller wrote is kept; null is no source. */
export function publishMoved(ctx: Context, sourceIds: Iterable<string | null>): void {
  for (const sourceId of new Set(sourceIds)) {
    if (sourceId === null) continue;
    ctx.afterCommit(() => publish(ctx.services, sourceChannel(ctx.scope, sourceId)));
  }
}
