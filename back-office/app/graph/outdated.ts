import { createSignal } from './signal.ts';

/** What is shown may be old and is read again: the socket was away, or somebody else changed it. */
export const outdated = createSignal();
