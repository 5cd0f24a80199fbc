/** LIVE rows are real. TEST rows are written by test keys and are hidden from live readers. */
export type Mode = 'LIVE' | 'TEST';

/** Workspace and mode that every statement on tenant rows is bound to. */
export interface Scope {
  readonly workspaceId: string;
  readonly mode: Mode;
}

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';
/** PUBLISHABLE: a key that is public on a website. It may use only fields that name this kind. */
export type CallerKind = 'KEY' | 'USER' | 'MEMBER' | 'PUBLISHABLE' | 'ANONYMOUS' | 'SYSTEM';

/** Limits of the workspace, carried with the caller so that no further query is needed. */
export interface Limits {
  /** Maximum of points or codes that one call may move. */
  readonly valueCap: number;
  readonly requestsPerMinute: number;
  /** Requests to the v1 REST API, which are counted separately. */
  readonly modelRequestsPerMinute: number;
  readonly valueWritesPerMinute: number;
  readonly recordWritesPerMinute: number;
}

/** The caller of a request. The gateway resolves it once and passes it to every subgraph. */
export interface Caller {
  readonly kind: CallerKind;
  /** Null for anonymous callers, and for calls of the system that belong to no workspace. */
  readonly workspaceId: string | null;
  readonly mode: Mode;
  /**
   * `key:<id>`, `user:<id>`, `member:<id>`, `anonymous` or `system:<reason>`, as shown in logs and audits.
   */
  readonly actor: string;
  readonly role: Role | null;
  /** The account responsible for the call: the signed-in user, or the user who made the key. */
  readonly accountId?: string;
  /** Granted scopes; `*` grants all. */
  readonly scopes: readonly string[];
  /** Keys of the modules that are on in the workspace; `*` stands for all. */
  readonly modules: readonly string[];
  readonly limits: Limits;
  /** Keys only: scopes of the key that no longer apply, because its maker is no longer an admin. */
  readonly lostScopes?: readonly string[];
  /** Signed-in members only: the session that the token names. */
  readonly memberSessionId?: string;
  /** Keys of agents only: the run of the agent that acts with the key. */
  readonly agentRunId?: string;
  /** Publishable keys only: the websites that may use the key; empty allows all. */
  readonly origins?: readonly string[];
  /** Signed-in users only: the data from which a session can be renewed. */
  readonly session?: {
    /** Time at which the password was entered; ISO 8601. */
    readonly authenticatedAt: string;
    /** The account's token version at the time the session was made. */
    readonly version: number;
    /** Stays the same after each refresh: a session is ended as a whole. */
    readonly id: string;
    /** Expiry of the token; ISO 8601. */
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

/** Returns a caller for the product itself, which acts on a workspace (or on none) because of `what`. */
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

/**
 * The actor responsible for the call: the account behind it, whichever key was used, otherwise the caller
 * itself.
 */
export const administratorOf = ({ accountId, actor }: Caller): string =>
  accountId ? `user:${accountId}` : actor;

/** Returns the id in `key:<id>`, `user:<id>` or `member:<id>`; null for callers without an id. */
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

/** Reference to the user behind an actor, as in `Job.requestedBy`; null for keys and the product. */
export const userOf = referenceOf('user');

/** Reference to the key behind an actor; null for users and the product. */
export const apiKeyOf = referenceOf('key');
