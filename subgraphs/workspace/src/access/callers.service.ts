import {
  actorId,
  type Caller,
  defaultLimits,
  type Limits,
  type Mode,
  type Role,
  systemCaller,
} from '@loyalty/platform/base/caller';
import { invalid, unauthenticated } from '@loyalty/platform/base/errors';
import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { CREDENTIALS_CHANNEL } from '@loyalty/platform/identity/credentials';
import { type SessionClaims, verifySession } from '@loyalty/platform/identity/session-token';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { isAdminRole } from '../accounts/accounts.service.ts';
import { accountKeys } from '../accounts/platform-workspace.ts';
import { isModuleKey } from '../modules/modules.service.ts';
import { questions } from '../peers.ts';
import { SECRET_INDEX } from './api-keys.service.ts';
import {
  findGrants,
  findKey,
  findKeyById,
  findUserIn,
  type Grants,
  type KeyCredential,
} from './callers.store.ts';
import { isKeySecret, looksLikeKey } from './key-secret.ts';
import { needsAdmin, scopesOfRole } from './scopes.ts';

/** A caller with the expiry of the credential: ISO 8601, or null for never. */
interface ResolvedCaller {
  readonly caller: Caller;
  readonly expiresAt: string | null;
}

interface Presented {
  readonly credential: string;
  readonly mode?: string | null | undefined;
  readonly workspaceId?: string | null | undefined;
}

const refused = () =>
  unauthenticated('CREDENTIAL_INVALID', 'The credential is not valid. Check it, or get a new one.');
const expired = () => unauthenticated('CREDENTIAL_EXPIRED', 'The credential has expired. Get a new one.');

/**
 * Resolves the current caller of a credential, in one statement. A mistyped key is refused without a
 * statement.
 *
 * @throws AppError CREDENTIAL_INVALID (401) for a credential that is unknown, revoked, ended or of another
 *   workspace, CREDENTIAL_EXPIRED (401)
 * @remarks Source: v2 REST API, section 5; model API, section 5
 */
export async function resolveCaller(ctx: Context, presented: Presented): Promise<ResolvedCaller> {
  const { mode } = presented;
  if (mode != null && mode !== 'LIVE' && mode !== 'TEST') throw invalid('mode', 'must be LIVE or TEST');
  if (looksLikeKey(presented.credential)) return keyCaller(ctx, presented);
  const session = await verifySession(ctx.services.config.masterKeys, presented.credential, ctx.clock);
  const caller = await callerOfSession(ctx, session, {
    mode: mode ?? null,
    workspaceId: presented.workspaceId ?? null,
  });
  return { caller, expiresAt: session.expiresAt.toISOString() };
}

type Chosen = { readonly mode: Mode | null; readonly workspaceId: string | null };

type VerifiedSession = Awaited<ReturnType<typeof verifySession>>;

function callerOfSession(ctx: Context, session: VerifiedSession, chosen: Chosen): Promise<Caller> {
  if (session.audience === 'user') return callerOfUser(ctx, session, chosen);
  if (session.audience === 'member') return callerOfMember(ctx, session, chosen.workspaceId);
  return callerOfAgent(ctx, session);
}

async function keyCaller(ctx: Context, { credential, workspaceId }: Presented): Promise<ResolvedCaller> {
  if (!isKeySecret(credential)) throw refused();
  const keys = await accountKeys(ctx);
  const key = await findKey(ctx, keys.indexes(credential, SECRET_INDEX));
  if (!key || (workspaceId && workspaceId !== key.grants.workspaceId)) throw refused();
  return { caller: callerOfKey(ctx, key), expiresAt: key.expiresAt?.toISOString() ?? null };
}

/** @throws AppError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401) for a key that has ended */
function callerOfKey(ctx: Context, key: KeyCredential): Caller {
  if (key.revokedAt) throw refused();
  if (key.expiresAt && key.expiresAt <= ctx.clock.now()) throw expired();
  const { id, mode, kind, origins } = key;
  return {
    ...(kind === 'SECRET' ? { kind: 'KEY' } : { kind, origins }),
    mode,
    actor: `key:${id}`,
    role: null,
    accountId: key.createdById,
    ...scopesOfKey(key),
    ...granted(key.grants),
  };
}

/** Resolves an agent: it has the permissions of its key at the time of the call. */
async function callerOfAgent(
  ctx: Context,
  { subject, workspaceId, mode, sessionId }: SessionClaims,
): Promise<Caller> {
  const key = await findKeyById(ctx, subject, workspaceId);
  if (!key || key.mode !== mode || key.kind !== 'SECRET') throw refused();
  return { ...callerOfKey(ctx, key), agentRunId: sessionId };
}

/**
 * Returns the scopes of a key. Scopes that require an active administrator end with the role of the key's
 * creator.
 */
function scopesOfKey({ scopes, creatorRole }: KeyCredential): Pick<Caller, 'scopes' | 'lostScopes'> {
  if (isAdminRole(creatorRole) || !scopes.some(needsAdmin)) return { scopes };
  return {
    scopes: scopes.filter((scope) => !needsAdmin(scope)),
    lostScopes: scopes.filter(needsAdmin),
  };
}

const callerOfUser = (ctx: Context, session: VerifiedSession, chosen: Chosen): Promise<Caller> =>
  userIn(ctx, {
    accountId: session.subject,
    workspaceId: chosen.workspaceId ?? session.workspaceId,
    mode: chosen.mode ?? session.mode,
    session: {
      id: session.sessionId,
      version: session.version,
      authenticatedAt: session.authenticatedAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    },
  });

interface SignedInUser {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly session: NonNullable<Caller['session']>;
}

/** @throws AppError CREDENTIAL_INVALID (401) for a session that has ended or a person who left the team */
async function userIn(ctx: Context, signedIn: SignedInUser): Promise<Caller> {
  const { accountId, workspaceId, mode, session } = signedIn;
  const user = await findUserIn(ctx, { accountId, workspaceId, sessionId: session.id });
  if (!user || user.isEnded || user.tokenVersion !== session.version) throw refused();
  const { modules, limits } = granted(user.grants);
  return userCaller(accountId, workspaceId, user.role, { mode, modules, limits, session });
}

/**
 * Loyalty owns members and their sessions, and answers whether the session is valid. Each field decides
 * whether the member may use it.
 */
async function callerOfMember(
  ctx: Context,
  session: SessionClaims,
  workspaceId: string | null,
): Promise<Caller> {
  const { mode, sessionId } = session;
  if (workspaceId && workspaceId !== session.workspaceId) throw refused();
  const there = ctx.as(systemCaller('callers', { workspaceId: session.workspaceId, mode }));
  const [grants, held] = await Promise.all([
    findGrants(ctx, session.workspaceId),
    ctx.services.peers.ask(there, 'loyalty', questions.MemberOfSession, { id: sessionId }),
  ]);
  if (!grants || held._memberOfSession !== session.subject) throw refused();
  const actor = `member:${session.subject}`;
  const caller = { kind: 'MEMBER', mode: session.mode, actor, role: null, scopes: [] } as const;
  return { ...caller, memberSessionId: sessionId, ...granted(grants) };
}

/** A module that is no longer in the catalog is ignored. */
const granted = ({ modules, ...grants }: Grants): Grants => ({
  ...grants,
  modules: modules.filter(isModuleKey),
});

/**
 * Returns the current caller of a context: its role, scopes and modules may have changed since it was
 * resolved.
 *
 * @throws AppError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED (401) if the credential is no longer valid
 */
async function currentCaller(ctx: Context): Promise<Caller> {
  const { caller } = ctx;
  const { workspaceId, mode } = ctx.scope;
  const id = actorId(caller);
  if (!id) throw refused();
  if (caller.session) return userIn(ctx, { accountId: id, workspaceId, mode, session: caller.session });
  if (caller.kind === 'MEMBER') {
    const grants = await findGrants(ctx, workspaceId);
    if (!grants) throw refused();
    return { ...caller, ...granted(grants) };
  }
  const key = await findKeyById(ctx, id, workspaceId);
  if (!key) throw refused();
  return { ...caller, ...callerOfKey(ctx, key) };
}

/** Yields the caller of a context at once, and again after each change of the result of `currentCaller`. */
export function watchCaller(ctx: Context): AsyncIterableIterator<Caller> {
  const { actor } = ctx.caller;
  const subjects: readonly string[] = [actor, `workspace:${ctx.scope.workspaceId}`];
  const changes = liveIterator(ctx.services.live, CREDENTIALS_CHANNEL, {
    signal: ctx.request.signal,
    first: [actor],
    missed: async () => [actor],
    accepts: (subject) => subjects.includes(subject),
  });
  let sent = '';
  return mapIterator(changes, {
    // The gateway receives a change by the mutation's answer and by the live event; the caller is sent only
    // once.
    async map() {
      const caller = await whenAvailable(() => currentCaller(ctx), ctx.request.signal);
      const now = JSON.stringify(caller);
      if (now === sent) return;
      sent = now;
      return caller;
    },
  });
}

interface UserCallerDetails {
  readonly mode?: Mode;
  readonly modules?: readonly string[];
  readonly limits?: Limits;
  readonly session?: NonNullable<Caller['session']>;
}

/** Returns the caller of a signed-in person in one workspace, with the scopes of the role there. */
export const userCaller = (
  accountId: string,
  workspaceId: string,
  role: Role,
  details: UserCallerDetails = {},
): Caller => ({
  kind: 'USER',
  workspaceId,
  mode: 'LIVE',
  actor: `user:${accountId}`,
  accountId,
  role,
  scopes: scopesOfRole(role),
  modules: [],
  limits: defaultLimits,
  ...details,
});
