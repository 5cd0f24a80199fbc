import { useSyncExternalStore } from 'react';
import { createSignal } from './signal.ts';

/** Which workspace, and which of its two modes, this tab shows. */
export interface ViewScope {
  /** Null for the workspace that the session was opened in. */
  readonly workspaceId: string | null;
  readonly mode: 'LIVE' | 'TEST';
}

const KEPT = 'loyalty-scope';
const choices = createSignal();
let current = read();

/** What this tab showed before it was loaded again; an address may open test mode with `?mode=test`. */
function read(): ViewScope {
  const { workspaceId = null, mode = 'LIVE' } = JSON.parse(
    sessionStorage.getItem(KEPT) ?? '{}',
  ) as Partial<ViewScope>;
  const isTest = new URLSearchParams(location.search).get('mode') === 'test';
  return { workspaceId, mode: isTest ? 'TEST' : mode };
}

/** Another workspace or mode; everything that was shown is loaded again. */
export function chooseScope(change: Partial<ViewScope>): void {
  current = { ...current, ...change };
  sessionStorage.setItem(KEPT, JSON.stringify(current));
  choices.send();
}

export const currentScope = (): ViewScope => current;

export const useScope = (): ViewScope => useSyncExternalStore(choices.listen, () => current);

/** Headers of every request: the cookie counts only where a page asks for it by name. */
export const scopeHeaders = ({ workspaceId, mode }: ViewScope): Record<string, string> => ({
  'x-loyalty-session': 'cookie',
  'x-loyalty-mode': mode.toLowerCase(),
  ...(workspaceId && { 'x-loyalty-workspace': workspaceId }),
});
