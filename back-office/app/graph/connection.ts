import { useSyncExternalStore } from 'react';
import { createSignal, outdated } from './signal.ts';

/** `replaced`: a newer version is served, and a part of this one is gone. */
export type ConnectionState = 'on' | 'off' | 'replaced';

const LONGEST_WAIT_MS = 30_000;
const PAGE = '/app/';

let state: ConnectionState = 'on';
let waitMs = 1_000;
let timer: ReturnType<typeof setTimeout> | undefined;
const changes = createSignal();
const answers = createSignal();

function become(next: ConnectionState): void {
  if (next === state) return;
  const wasOff = state === 'off';
  state = next;
  changes.send();
  // What was read before may be old, and what failed meanwhile is read now.
  if (wasOff && next === 'on') outdated.send();
}

export const useConnection = (): ConnectionState => useSyncExternalStore(changes.listen, () => state);

/** Calls back when the connection went or came. */
export const onConnection = changes.listen;

/** A request got no answer: it is asked again and again whether there is a connection. */
export function lostConnection(): void {
  if (state !== 'on') return;
  become('off');
  waitMs = 1_000;
  askLater();
}

/** An answer came, whatever it says. */
export function foundConnection(): void {
  if (state === 'off') found();
}

function found(): void {
  clearTimeout(timer);
  become('on');
  answers.send();
}

function askLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void tryConnection(), waitMs);
  waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
}

/** Asks now, as somebody wants it or the browser says that it is online. */
export async function tryConnection(): Promise<void> {
  if (state !== 'off') return;
  const isThere = await readPage();
  if (isThere) found();
  else askLater();
}

/** Shows the newer version; without a connection the browser would show a page of its own. */
export async function loadNewVersion(): Promise<void> {
  if ((await readPage()) !== null) location.reload();
}

/** The page as it is served now; null where nobody answers. */
const readPage = (): Promise<string | null> =>
  fetch(PAGE, { cache: 'no-store' }).then(
    (response) => response.text(),
    () => null,
  );

addEventListener('online', () => void tryConnection());
addEventListener('offline', lostConnection);

/** What the browsers say when the file of a part, or a style of it, cannot be loaded. */
const MISSING = /dynamically imported module|importing a module script|preload css/i;

/**
 * Loads a part of the application. Where its file cannot be loaded nothing is lost: what is shown stays, and
 * the file is asked for again once there is a connection. A part that a newer version replaced never comes:
 * the person is asked to load that version.
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
        // It is served, but cannot be run.
        if (isRetried) throw error;
        isRetried = true;
      } else {
        isRetried = false;
        const answer = nextAnswer();
        if (page === null) lostConnection();
        else become('replaced');
        await answer;
      }
    }
  }
}

/** Waits until the product answers again. */
const nextAnswer = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = answers.listen(() => {
      stop();
      resolve();
    });
  });

/** The page names the first file of its version. */
function isThisVersion(page: string): boolean {
  const first = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  return page.includes(first);
}
