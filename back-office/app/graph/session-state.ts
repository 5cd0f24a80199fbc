import { useSyncExternalStore } from 'react';
import { onSession } from './session.ts';
import { hasSession } from './session-hint.ts';
import { createSignal } from './signal.ts';

/** `ended` asks for the password over what is shown. */
export type SessionState = 'open' | 'ended' | 'signed-out';

let state: SessionState = hasSession ? 'open' : 'signed-out';
const states = createSignal();

function become(next: SessionState): void {
  if (next === state) return;
  state = next;
  states.send();
}

onSession(({ kind }) => become(kind === 'signed-out' ? 'signed-out' : 'open'));

const refusals = createSignal();

/** Calls back when an answer refused what the menu offered: somebody changed a role or a module. */
export const onRefused = refusals.listen;
export const refusedRight = (): void => refusals.send();

/** An answer said that there is no session. */
export const endedSession = (): void => become(state === 'open' ? 'ended' : state);

export const useSessionState = (): SessionState => useSyncExternalStore(states.listen, () => state);
