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

/** Time for which a gateway may use an answer, unless a live event drops it earlier. */
const KEPT_MS = SECOND_MS;
const KEPT_MAX = 20_000;

/** The credentials that a client sends. */
export interface PresentedCredentials {
  readonly authorization?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Mode that a user requests, for the sandbox; the mode of a key is fixed. */
  readonly mode?: string | undefined;
  /** Workspace that a user requests, if they have several; a key has only one. */
  readonly workspace?: string | undefined;
}

/** The caller of a credential. */
export interface Identity {
  readonly caller: Caller;
  /** Expiry of the credential; null for never. */
  readonly expiresAt: Date | null;
}

export interface Authenticator {
  /**
   * @throws AppError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401), or 503 while no credential can be looked
   * up
   */
  authenticate(credentials: PresentedCredentials, requestId: string): Promise<Caller>;
  /**
   * Like `authenticate`, with the expiry. For sockets and streams, which must end when the credential
   * expires.
   */
  identify(credentials: PresentedCredentials, requestId: string): Promise<Identity>;
  close(): void;
}

interface Resolved {
  readonly caller: Caller;
  readonly expiresAt: string | null;
}

const CALLER = `query Caller($credential: String!, $mode: String, $workspaceId: ID) {
  _caller(credential: $credential, mode: $mode, workspaceId: $workspaceId) }`;

/** The question to the workspace subgraph. */
interface Question {
  readonly credential: string;
  readonly mode: Mode;
  readonly workspaceId: string | null;
}

/**
 * Resolves credentials through the workspace subgraph. An answer is cached for at most 1 second. It is
 * dropped at once when a live event reports a change of the credential, its workspace or its owner.
 */
export function createAuthenticator(workspace: Transport, live: Live, clock: Clock): Authenticator {
  const send = workspace.prepare({ query: CALLER });
  const kept = new LRUCache<string, Resolved>({ max: KEPT_MAX, ttl: KEPT_MS });
  const pending = new Map<string, Promise<Resolved>>();
  // An answer to a question from before a change may be stale. The calls that wait for it receive it, but it
  // is not cached, and later calls ask again.
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

  /** Asks once for all concurrent calls with the same question. */
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

/** Cache key of a question: a hash, which cannot be used as a credential. */
const idOf = ({ credential, mode, workspaceId }: Question): string =>
  createHash('sha256').update(`${mode}${workspaceId}`).update(credential).digest('base64');

/** @throws AppError CREDENTIAL_INVALID (401) for text that is not an id */
function workspaceOf({ workspace }: PresentedCredentials): string | null {
  if (!workspace) return null;
  if (UUID.test(workspace)) return workspace.toLowerCase();
  throw unauthenticated(
    'CREDENTIAL_INVALID',
    'Send the id of one of your workspaces as X-Loyalty-Workspace.',
  );
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the identity of a credential unless it has expired. @throws AppError CREDENTIAL_EXPIRED (401) */
function currentIdentity({ caller, expiresAt }: Resolved, clock: Clock): Identity {
  const end = expiresAt ? new Date(expiresAt) : null;
  if (!end || end > clock.now()) return { caller, expiresAt: end };
  throw unauthenticated('CREDENTIAL_EXPIRED', 'This credential has expired. Sign in again or use a new key.');
}

/**
 * Asks the workspace subgraph for the caller of a credential.
 *
 * @throws AppError the refusal of the subgraph
 */
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
