import type { Context } from '../context.ts';
import { aboutChannel } from '../work/events.ts';
import { throttled } from './throttled.ts';

/** How often one process notifies the watchers of one thing at most. */
const INTERVAL_MS = 250;

/** Watchers read again: soon after any other message, at once after this one. */
export const ENDED = 'ended';
const CHANGED = 'changed';

const notify = throttled(INTERVAL_MS, ({ live }, channel) => live.publish(channel, CHANGED));

/**
 * Notifies those who `watchSnapshot` of a thing that it changed: after the commit, and four times a second at
 * most. A process that ends within such an interval may leave its last change unpublished.
 *
 * @param noun - as in payloads: `import` for `importId`
 */
export const publishProgress = ({ afterCommit, services, scope }: Context, noun: string, id: string): void =>
  afterCommit(() => notify(services, aboutChannel(scope, noun, id)));

/** The same for a state that watchers wait for, such as the end: as soon as it is committed. */
export const publishEnd = ({ afterCommit, services, scope }: Context, noun: string, id: string): void =>
  afterCommit(() => services.live.publish(aboutChannel(scope, noun, id), ENDED));
