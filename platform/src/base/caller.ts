/** Live rows are real; test rows are written by test keys and hidden from live readers. */
export type Mode = 'LIVE' | 'TEST';

/** What every statement on tenant rows is bound to. */
export interface Scope {
  readonly workspaceId: string;
  readonly mode: Mode;
}

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';
/** PUBLISHABLE is a key that everybody can read on a website: it may only do what names its kind. */
export type CallerKind = 'KEY' | 'USER' | 'MEMBER' | 'PUBLISHABLE' | 'ANONYMOUS' | 'SYSTEM';

/** The workspace's own limits, carried with the caller so that no one has to look them up. */
export interface Limits {
  /** Points or codes that one call may move at most. */
  readonly valueCap: number;
  readonly requestsPerMinute: number;
  /** Requests to the v1 REST API, which are counted apart from all others. */
  readonly modelRequestsPerMinute: number;
  readonly valueWritesPerMinute: number;
  readonly recordWritesPerMinute: number;
}

/** Who calls, resolved once at the gateway and passed on to every subgraph. */
export interface Caller {
  readonly kind: CallerKind;
  /** Null for anonymous callers, and for system acts that belong to no workspace. */
  readonly workspaceId: string | null;
  readonly mode: Mode;
  /** `key:<id>`, `user:<id>`, `member:<id>`, `anonymous` or `system:<what>`: what logs and audits show. */
  readonly actor: string;
  readonly role: Role | null;
  /** The person behind it: the signed-in user, or who made the key. */
  readonly accountId?: string;
  /** Scopes held; `*` holds all. */
  readonly scopes: readonly string[];
  /** Keys of the modules that are on in the workspace. */
  readonly modules: readonly string[];
  readonly limits: Limits;
  /** Of a key: scopes that it was given and that fell away, since its maker is no admin any more. */
  readonly lostScopes?: readonly string[];
  /** Of a signed-in member only: the session that the token names. */
  readonly memberSessionId?: string;
  /** Of a key that a run of an agent acts with: the run. */
  readonly agentRunId?: string;
  /** Of a publishable key: the websites that may use it; empty for all. */
  readonly origins?: readonly string[];
  /** Of a signed-in user only: what a new session may be made from. */
  readonly session?: {
    /** When the password was given; ISO 8601. */
    readonly authenticatedAt: string;
    /** The account's token version that the session was made with. */
    readonly version: number;
    /** The same after each refresh: it ends as a whole. */
    readonly id: string;
    /** When the token expires; ISO 8601. */
    readonly expiresAt: string;
  };
}

export const defaultLimits: Limits = {
  valueCap: 100_000,
  requestsPerMinute: 6_000,
  modelRequestsPerMinute: 300,
  valueWritesPerMinute: 1_200,
  recordWritesPerMinute: 1_200,
};

export const anonymous: Caller = {
  kind: 'ANONYMOUS',
  workspaceId: null,
  mode: 'LIVE',
  actor: 'anonymous',
  role: null,
  scopes: [],
  modules: [],
  limits: defaultLimits,
};

/** The product itself, acting on a workspace (or on none) because of `what`. */
export const systemCaller = (what: string, scope?: Scope): Caller => ({
  kind: 'SYSTEM',
  workspaceId: scope?.workspaceId ?? null,
  mode: scope?.mode ?? 'LIVE',
  actor: `system:${what}`,
  role: null,
  scopes: ['*'],
  modules: ['*'],
  limits: defaultLimits,
});

/** Who is responsible for the call: the person behind it, whichever key is used; else the caller. */
export const administratorOf = ({ accountId, actor }: Caller): string =>
  accountId ? `user:${accountId}` : actor;

/** The id behind `key:`, `user:` or `member:`; null for callers without one. */
export function actorId(caller: Caller): string | null {
  return ['KEY', 'USER', 'MEMBER', 'PUBLISHABLE'].includes(caller.kind)
    ? caller.actor.slice(caller.actor.indexOf(':') + 1)
    : null;
}

const referenceOf =
  (kind: 'user' | 'key') =>
  (actor: string | null): { readonly id: string } | null => {
    const [found, id] = (actor ?? '').split(':');
    return found === kind && id ? { id } : null;
  };

/** A reference to the user who is this actor, as `Job.requestedBy` has it; null for keys and the product. */
export const userOf = referenceOf('user');

/** A reference to the key that is this actor; null for users and the product. */
export const apiKeyOf = referenceOf('key');
