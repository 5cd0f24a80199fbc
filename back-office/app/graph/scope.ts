import { useSyncExternalStore } from 'react';
import { createSignal } from './signal.ts';

/** Which workspace, and which of its two modes, this tab shows. */
export interface ViewScope {
  /** Null for the workspace that the session was opened in. */
  readonly workspaceId: string | null;
  readonly mode: 'LIVE' | 'TEST';
}

const KEPT = 'loyalty-workspace';
const MODE = 'mode';
const choices = createSignal();
const modeOf = ({ search }: Pick<URL, 'search'>): ViewScope['mode'] =>
  new URLSearchParams(search).get(MODE) === 'test' ? 'TEST' : 'LIVE';

/** The tab keeps its workspace; the mode is in the address, so that a link opens it. */
let current: ViewScope = { workspaceId: sessionStorage.getItem(KEPT), mode: modeOf(location) };

function become(scope: ViewScope): void {
  current = scope;
  choices.send();
}

/** Back and forward lead through both modes. */
export function followAddress(): void {
  const mode = modeOf(location);
  if (mode !== current.mode) become({ ...current, mode });
}

/** Another workspace or mode; everything that was shown is loaded again. */
export function chooseScope(change: Partial<ViewScope>): void {
  const { workspaceId, mode } = { ...current, ...change };
  if (workspaceId) sessionStorage.setItem(KEPT, workspaceId);
  else sessionStorage.removeItem(KEPT);
  become({ workspaceId, mode });
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

/** Every address of the application names test mode; screens see their own arguments alone. */
export const modeInAddress = {
  input: ({ url }: { readonly url: URL }) => (url.searchParams.has(MODE) ? withoutMode(url) : url),
  output: ({ url }: { readonly url: URL }) => withMode(url),
};

export const currentScope = (): ViewScope => current;

export const useScope = (): ViewScope => useSyncExternalStore(choices.listen, () => current);

/** Headers of every request: the cookie counts only where a page asks for it by name. */
export const scopeHeaders = ({ workspaceId, mode }: ViewScope): Record<string, string> => ({
  'x-loyalty-session': 'cookie',
  'x-loyalty-mode': mode.toLowerCase(),
  ...(workspaceId && { 'x-loyalty-workspace': workspaceId }),
});
