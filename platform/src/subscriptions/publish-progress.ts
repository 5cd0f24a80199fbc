import type { Context } from '../context.ts';
import { aboutChannel } from '../work/events.ts';
import { throttled } from './throttled.ts';

/** Minimum interval between two notifications about one thing by one process. */
const INTERVAL_MS = 250;

/** Message after which watchers read again at once; after any other message they read soon. */
export const ENDED = 'ended';
const CHANGED = 'changed';

const notify = throttled(INTERVAL_MS, ({ live }, channel) => live.publish(channel, CHANGED));

/**
 * Notifies the watchers (`watchSnapshot`) of a change: after the commit, and at most four times a second. If
 * the process ends within an interval, its last change may stay unpublished.
 *
 * @param noun - as in payloads: `import` for `importId`
 */
export const publishProgress = ({ afterCommit, services, scope }: Context, noun: string, id: string): void =>
  afterCommit(() => notify(services, aboutChannel(scope, noun, id)));

/**
 * Like `publishProgress` for a state that watchers wait for, such as the end: published at once after the
 * commit.
 */
export const publishEnd = ({ afterCommit, services, scope }: Context, noun: string, id: string): void =>
  afterCommit(() => services.live.publish(aboutChannel(scope, noun, id), ENDED));
