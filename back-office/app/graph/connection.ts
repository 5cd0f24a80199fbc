import { useSyncExternalStore } from 'react';
import { createSignal, outdated } from './signal.ts';

/** `replaced`: the server has a newer version, and a chunk of this version is gone. */
export type ConnectionState = 'on' | 'off' | 'replaced';

const LONGEST_WAIT_MS = 30_000;
const PAGE = '/app/';

let state: ConnectionState = 'on';
let waitMs = 1_000;
let timer: ReturnType<typeof setTimeout> | undefined;
const changes = createSignal();
const answers = createSignal();

function changeTo(next: ConnectionState): void {
  if (next === state) return;
  const wasOff = state === 'off';
  state = next;
  changes.send();
  // Data may be stale and queries may have failed meanwhile: all are read again.
  if (wasOff && next === 'on') outdated.send();
}

export const useConnection = (): ConnectionState => useSyncExternalStore(changes.listen, () => state);

/** Calls back when the connection is lost or restored. */
export const onConnection = changes.listen;

/** Records that a request got no answer, and begins to poll for the connection. */
export function lostConnection(): void {
  if (state !== 'on') return;
  changeTo('off');
  waitMs = 1_000;
  askLater();
}

/** Records that a response arrived, whatever its status. */
export function foundConnection(): void {
  if (state === 'off') found();
}

function found(): void {
  clearTimeout(timer);
  changeTo('on');
  answers.send();
}

function askLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void tryConnection(), waitMs);
  waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
}

/** Polls at once: a person asked for it, or the browser reports that it is online. */
export async function tryConnection(): Promise<void> {
  if (state !== 'off') return;
  const isThere = await readPage();
  if (isThere) found();
  else askLater();
}

/**
 * Reloads the page to get the newer version. Does nothing without a connection, because the browser would
 * show its own error page.
 */
export async function loadNewVersion(): Promise<void> {
  if ((await readPage()) !== null) location.reload();
}

/** Fetches the page as the server has it now. Null without a connection. */
const readPage = (): Promise<string | null> =>
  fetch(PAGE, { cache: 'no-store' }).then(
    (response) => response.text(),
    () => null,
  );

addEventListener('online', () => void tryConnection());
addEventListener('offline', lostConnection);

/** Error messages of browsers for a chunk or a style sheet that cannot be loaded. */
const MISSING = /dynamically imported module|importing a module script|preload css/i;

/**
 * Loads a chunk of the application. If it cannot be loaded, the screen stays as it is, and the chunk is
 * requested again once there is a connection. A chunk that a newer version replaced never loads: the person
 * is asked to load the newer version.
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  let isRetried = false;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Error && MISSING.test(error.message))) throw error;
      const page = await readPage();
      if (page !== null && isThisVersion(page)) {
        // The file is served, but cannot be run.
        if (isRetried) throw error;
        isRetried = true;
      } else {
        isRetried = false;
        const answer = nextAnswer();
        if (page === null) lostConnection();
        else changeTo('replaced');
        await answer;
      }
    }
  }
}

/** Resolves when the server answers again. */
const nextAnswer = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = answers.listen(() => {
      stop();
      resolve();
    });
  });

/** Is a page of this version? It names the entry file of its version. */
function isThisVersion(page: string): boolean {
  const first = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  return page.includes(first);
}
