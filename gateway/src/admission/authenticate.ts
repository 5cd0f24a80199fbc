import { createHash } from 'node:crypto';
import { anonymous, type Caller, type Mode, systemCaller } from '@loyalty/platform/base/caller';
import { type Clock, SECOND_MS } from '@loyalty/platform/base/clock';
import { AppError, unauthenticated } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import type { Live } from '@loyalty/platform/live/live';
import type { GraphQLFormattedError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Send, Transport } from '../transport/transport.ts';

/** How long a gateway may use an old answer that no live event has dropped. */
const KEPT_MS = SECOND_MS;
const KEPT_MAX = 20_000;

/** The credentials that a client sends. */
export interface PresentedCredentials {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
  /** A user may ask for the sandbox; a key's mode is its own. */
  readonly mode?: string | undefined;
  /** A user may name another of their workspaces; a key has only one. */
  readonly workspace?: string | undefined;
}

/** The caller that a credential stands for. */
export interface Identity {
  readonly caller: Caller;
  /** When the credential ends by itself; null for never. */
  readonly expiresAt: Date | null;
}

export interface Authenticator {
  /** @throws AppError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401), or 503 while nobody can be looked up */
  authenticate(credentials: PresentedCredentials, requestId: string): Promise<Caller>;
  /** The same for sockets and streams, which must end when the credential does. */
  identify(credentials: PresentedCredentials, requestId: string): Promise<Identity>;
  close(): void;
}

interface Resolved {
  readonly caller: Caller;
  readonly expiresAt: string | null;
}

const CALLER = `query Caller($credential: String!, $mode: String, $workspaceId: ID) {
  _caller(credential: $credential, mode: $mode, workspaceId: $workspaceId) }`;

/** What the workspace subgraph is asked. */
interface Question {
  readonly credential: string;
  readonly mode: Mode;
  readonly workspaceId: string | null;
}

/**
 * Resolves credentials through the workspace subgraph. An answer is kept for at most 1 second. It is dropped
 * at once when a live event says that the credential, its workspace or its owner has changed.
 */
export function createAuthenticator(workspace: Transport, live: Live, clock: Clock): Authenticator {
  const send = workspace.prepare({ query: CALLER });
  const kept = new LRUCache<string, Resolved>({ max: KEPT_MAX, ttl: KEPT_MS });
  const pending = new Map<string, Promise<Resolved>>();
  // An answer that was asked for before a change may be stale. It serves the calls that wait for it, but it
  // is not kept, and later calls ask anew.
  let changes = 0;
  const unsubscribe = live.subscribe(CREDENTIALS_CHANNEL, (subject) => {
    changes += 1;
    pending.clear();
    forget(kept, subject);
  });
  const unsubscribeGap = live.onGap(() => {
    changes += 1;
    pending.clear();
    kept.clear();
  });

  /** Asks once for all calls that need the same answer now. */
  function ask(id: string, question: Question, requestId: string): Promise<Resolved> {
    const changesBefore = changes;
    const asking = resolve(send, question, requestId)
      .then((found) => {
        if (changes === changesBefore) kept.set(id, found);
        return found;
      })
      .finally(() => pending.get(id) === asking && pending.delete(id));
    pending.set(id, asking);
    return asking;
  }

  async function identify(credentials: PresentedCredentials, requestId: string): Promise<Identity> {
    const credential = credentialOf(credentials);
    if (!credential) return { caller: anonymous, expiresAt: null };
    const question = questionOf(credential, credentials);
    const id = idOf(question);
    const found = kept.get(id) ?? (await (pending.get(id) ?? ask(id, question, requestId)));
    return currentIdentity(found, clock);
  }

  return {
    identify,
    authenticate: async (credentials, requestId) => (await identify(credentials, requestId)).caller,
    close() {
      unsubscribe();
      unsubscribeGap();
    },
  };
}

const questionOf = (credential: string, presented: PresentedCredentials): Question => ({
  credential,
  mode: presented.mode?.toLowerCase() === 'test' ? 'TEST' : 'LIVE',
  workspaceId: workspaceOf(presented),
});

/** What an answer is kept by: nothing that could be used as a credential. */
const idOf = ({ credential, mode, workspaceId }: Question): string =>
  createHash('sha256').update(`${mode}${workspaceId}`).update(credential).digest('base64');

/** @throws AppError CREDENTIAL_INVALID (401) for what is no id */
function workspaceOf({ workspace }: PresentedCredentials): string | null {
  if (!workspace) return null;
  if (UUID.test(workspace)) return workspace.toLowerCase();
  throw unauthenticated(
    'CREDENTIAL_INVALID',
    'Send the id of one of your workspaces as X-Loyalty-Workspace.',
  );
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The identity of a credential that has not expired. @throws AppError CREDENTIAL_EXPIRED (401) */
function currentIdentity({ caller, expiresAt }: Resolved, clock: Clock): Identity {
  const end = expiresAt ? new Date(expiresAt) : null;
  if (!end || end > clock.now()) return { caller, expiresAt: end };
  throw unauthenticated('CREDENTIAL_EXPIRED', 'This credential has expired. Sign in again or use a new key.');
}

/** The caller of a credential, from the workspace subgraph. @throws AppError as the subgraph refuses */
async function resolve(send: Send, question: Question, requestId: string): Promise<Resolved> {
  const { data, errors } = await send({ ...question }, { caller: systemCaller('gateway'), requestId });
  if (errors?.[0]) throw refusalIn(errors[0]);
  return data?.['_caller'] as Resolved;
}

/** Subjects are `key:<id>`, `user:<id>`, `member:<id>` (the actor) or `workspace:<id>`. */
function forget(kept: LRUCache<string, Resolved>, subject: string): void {
  for (const [id, { caller }] of kept.entries()) {
    if (caller.actor === subject || `workspace:${caller.workspaceId}` === subject) kept.delete(id);
  }
}

function credentialOf({ authorization, apiKey }: PresentedCredentials): string | null {
  if (authorization === undefined) return apiKey ?? null;
  const [, token] = /^Bearer +([^\s]{1,4096})$/i.exec(authorization) ?? [];
  if (!token)
    throw unauthenticated('CREDENTIAL_INVALID', 'Send the Authorization header as: Bearer <key or token>.');
  return token;
}

const refusalIn = (error: Pick<GraphQLFormattedError, 'message' | 'extensions'>): AppError =>
  toAppError(error) ?? new AppError('UNAVAILABLE', 'AUTHENTICATION_UNAVAILABLE', error.message);
