import { useSyncExternalStore } from 'react';
import { createSignal } from './signal.ts';

/** The workspace and the mode of this tab. */
export interface ViewScope {
  /** Null: the workspace of the session. */
  readonly workspaceId: string | null;
  readonly mode: 'LIVE' | 'TEST';
}

const KEPT = 'loyalty-workspace';
const MODE = 'mode';
const choices = createSignal();
const modeOf = ({ search }: Pick<URL, 'search'>): ViewScope['mode'] =>
  new URLSearchParams(search).get(MODE) === 'test' ? 'TEST' : 'LIVE';

/** The workspace is stored in the tab. The mode is in the address, so that a link opens it. */
let current: ViewScope = { workspaceId: sessionStorage.getItem(KEPT), mode: modeOf(location) };

function changeTo(scope: ViewScope): void {
  current = scope;
  choices.send();
}

/** Follows the mode of the address after a step back or forward in the history. */
export function followAddress(): void {
  const mode = modeOf(location);
  if (mode !== current.mode) changeTo({ ...current, mode });
}

/** Changes the workspace or the mode. All data are loaded again. */
export function chooseScope(change: Partial<ViewScope>): void {
  const { workspaceId, mode } = { ...current, ...change };
  if (workspaceId) sessionStorage.setItem(KEPT, workspaceId);
  else sessionStorage.removeItem(KEPT);
  changeTo({ workspaceId, mode });
  if (modeOf(location) !== mode) history.replaceState(history.state, '', withMode(withoutMode(location)));
}

const withoutMode = ({ href }: Pick<URL, 'href'>): URL => {
  const url = new URL(href);
  url.searchParams.delete(MODE);
  return url;
};

const withMode = (url: URL): URL => {
  if (current.mode === 'TEST') url.search += `${url.search ? '&' : '?'}${MODE}=test`;
  return url;
};

/** Adds test mode to every address of the application, and removes it from the search that screens see. */
export const modeInAddress = {
  input: ({ url }: { readonly url: URL }) => (url.searchParams.has(MODE) ? withoutMode(url) : url),
  output: ({ url }: { readonly url: URL }) => withMode(url),
};

export const currentScope = (): ViewScope => current;

export const useScope = (): ViewScope => useSyncExternalStore(choices.listen, () => current);

/** Headers of every request. The server uses the session cookie only if a header asks for it. */
export const scopeHeaders = ({ workspaceId, mode }: ViewScope): Record<string, string> => ({
  'x-loyalty-session': 'cookie',
  'x-loyalty-mode': mode.toLowerCase(),
  ...(workspaceId && { 'x-loyalty-workspace': workspaceId }),
});
