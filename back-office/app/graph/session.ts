import { useSyncExternalStore } from 'react';
import { type CallFailure, failureFrom } from './failures.ts';
import { hasSession } from './first-request.ts';
import { chooseScope } from './scope.ts';
import { createSignal } from './signal.ts';

/** Why a session could not be opened. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

const ADDRESS = '/app/session';
const RENEW_BEFORE_MS = 10 * 60_000;
const RETRY_AFTER_MS = 15_000;

/** A change of the session, in this tab or in another one. */
type SessionChange =
  | { readonly kind: 'signed-in' | 'signed-out' }
  | { readonly kind: 'renewed'; readonly expiresAt: string };

const channel = new BroadcastChannel('loyalty-session');
const changes = createSignal<SessionChange>();
channel.addEventListener('message', ({ data }: MessageEvent<SessionChange>) => announceHere(data));

function announceHere(change: SessionChange): void {
  if (change.kind === 'renewed') renewBefore(change.expiresAt);
  changes.send(change);
}

/** Calls back when this tab or another one signs in, renews the session or signs out. */
export const onSession = changes.listen;

function announce(change: SessionChange): void {
  channel.postMessage(change);
  announceHere(change);
}

async function ask(
  method: 'POST' | 'PUT' | 'DELETE',
  body?: object,
  query = '',
): Promise<{ expiresAt: string } | null> {
  const response = await fetch(`${ADDRESS}${query}`, {
    method,
    headers: {
      ...(method !== 'POST' && { 'x-loyalty-session': 'cookie' }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return null;
  const answer = await response.json();
  if (response.ok) return answer;
  throw new SessionError(failureFrom(answer.code, 'UNKNOWN', answer));
}

/** @throws SessionError CREDENTIAL_INVALID, RATE_LIMITED, MEMBERSHIP_REQUIRED */
export async function signIn(email: string, password: string): Promise<void> {
  const { expiresAt } = (await ask('POST', { email, password }))!;
  renewBefore(expiresAt);
  announce({ kind: 'signed-in' });
}

/** @param everywhere - on all devices of the person */
export async function signOut(everywhere = false): Promise<void> {
  clearTimeout(timer);
  await ask('DELETE', undefined, everywhere ? '?everywhere=true' : '');
  chooseScope({ workspaceId: null, mode: 'LIVE' });
  announce({ kind: 'signed-out' });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Schedules the renewal of the session before it expires. The first tab that renews it does so for all tabs.
 */
export function renewBefore(expiresAt: string): void {
  const waitMs = new Date(expiresAt).getTime() - Date.now() - RENEW_BEFORE_MS;
  renewAfter(Math.max(waitMs, RETRY_AFTER_MS));
}

function renewAfter(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    renew().catch((error: unknown) => {
      // A refused session needs the password. A lost connection is retried.
      if (!(error instanceof SessionError)) renewAfter(RETRY_AFTER_MS);
    });
  }, waitMs);
}

async function renew(): Promise<void> {
  const renewed = await navigator.locks.request('loyalty-session', () => ask('PUT', {}));
  if (renewed) announce({ kind: 'renewed', expiresAt: renewed.expiresAt });
}

/** `ended`: the session has expired, and the password is asked for over the screen. */
type SessionState = 'open' | 'ended' | 'signed-out';

let state: SessionState = hasSession ? 'open' : 'signed-out';
const states = createSignal();

function changeTo(next: SessionState): void {
  if (next === state) return;
  state = next;
  states.send();
}

onSession(({ kind }) => changeTo(kind === 'signed-out' ? 'signed-out' : 'open'));

const refusals = createSignal();

/**
 * Calls back when the API refused a screen that the menu offered, because somebody changed a role or a
 * module.
 */
export const onRefused = refusals.listen;
export const refusedRight = (): void => refusals.send();

/** Records that a response said that there is no session. */
export const endedSession = (): void => changeTo(state === 'open' ? 'ended' : state);

export const useSessionState = (): SessionState => useSyncExternalStore(states.listen, () => state);
