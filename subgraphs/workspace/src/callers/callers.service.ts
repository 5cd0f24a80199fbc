import { type Caller, type Mode, systemCaller } from '@loyalty/platform/caller/caller';
import { type SessionClaims, verifySession } from '@loyalty/platform/caller/session-token';
import type { Context } from '@loyalty/platform/context';
import { invalid, unauthenticated } from '@loyalty/platform/errors';
import { accountKeys } from '../accounts/account-keys.ts';
import { isAdminRole } from '../accounts/admin-roles.ts';
import { SECRET_INDEX } from '../api-keys/api-keys.service.ts';
import { isKeySecret, looksLikeKey } from '../api-keys/key-secret.ts';
import { needsAdmin } from '../api-keys/scopes.ts';
import { isModuleKey } from '../modules/catalog.ts';
import { findGrants, findKey, findUserIn, type Grants, type KeyCredential } from './callers.store.ts';
import { userCaller } from './user-caller.ts';

/** A caller, and when the credential expires: ISO 8601, or null for never. */
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
 * The caller of a credential as of now, in one statement. A mistyped key is refused without any.
 *
 * @throws AppError CREDENTIAL_INVALID (401) for what is unknown, revoked, ended or of another workspace,
 *   CREDENTIAL_EXPIRED (401)
 * @remarks Source: v2 REST API, section 5; model API, section 5
 */
export async function resolveCaller(ctx: Context, presented: Presented): Promise<ResolvedCaller> {
  const { mode } = presented;
  if (mode != null && mode !== 'LIVE' && mode !== 'TEST') throw invalid('mode', 'must be LIVE or TEST');
  if (looksLikeKey(presented.credential)) return keyCaller(ctx, presented);
  const session = await verifySession(ctx.services.config.masterKeys, presented.credential, ctx.clock);
  const caller =
    session.audience === 'user'
      ? await callerOfUser(ctx, session, { mode: mode ?? null, workspaceId: presented.workspaceId ?? null })
      : await callerOfMember(ctx, session, presented.workspaceId ?? null);
  return { caller, expiresAt: session.expiresAt.toISOString() };
}

async function keyCaller(ctx: Context, { credential, workspaceId }: Presented): Promise<ResolvedCaller> {
  if (!isKeySecret(credential)) throw refused();
  const keys = await accountKeys(ctx);
  const key = await findKey(ctx, keys.indexes(credential, SECRET_INDEX));
  if (!key || key.revokedAt || (workspaceId && workspaceId !== key.grants.workspaceId)) throw refused();
  if (key.expiresAt && key.expiresAt <= ctx.clock.now()) throw expired();
  const { id, mode, kind, origins, expiresAt } = key;
  const caller: Caller = {
    ...(kind === 'SECRET' ? { kind: 'KEY' } : { kind, origins }),
    mode,
    actor: `key:${id}`,
    role: null,
    accountId: key.createdById,
    ...scopesOfKey(key),
    ...granted(key.grants),
  };
  return { caller, expiresAt: expiresAt?.toISOString() ?? null };
}

/** Scopes that belong to an active administrator end with the role of the key's creator. */
function scopesOfKey({ scopes, creatorRole }: KeyCredential): Pick<Caller, 'scopes' | 'lostScopes'> {
  if (isAdminRole(creatorRole) || !scopes.some(needsAdmin)) return { scopes };
  return {
    scopes: scopes.filter((scope) => !needsAdmin(scope)),
    lostScopes: scopes.filter(needsAdmin),
  };
}

async function callerOfUser(
  ctx: Context,
  session: SessionClaims,
  chosen: { mode: Mode | null; workspaceId: string | null },
): Promise<Caller> {
  const workspaceId = chosen.workspaceId ?? session.workspaceId;
  const user = await findUserIn(ctx, session.subject, workspaceId);
  if (!user || user.tokenVersion !== session.version) throw refused();
  const { modules, limits } = granted(user.grants);
  return userCaller(session.subject, workspaceId, user.role, {
    mode: chosen.mode ?? session.mode,
    modules,
    limits,
    session: { authenticatedAt: session.authenticatedAt.toISOString(), version: session.version },
  });
}

const MEMBER_OF_SESSION = 'query MemberOfSession($id: ID!) { _memberOfSession(id: $id) }';

/**
 * Loyalty owns members and their sessions: it says whether the session is valid. Whether the member may act
 * is decided by the field.
 */
async function callerOfMember(
  ctx: Context,
  session: SessionClaims,
  workspaceId: string | null,
): Promise<Caller> {
  const { mode, sessionId } = session;
  if (!sessionId || (workspaceId && workspaceId !== session.workspaceId)) throw refused();
  const there = ctx.as(systemCaller('callers', { workspaceId: session.workspaceId, mode }));
  const question = { query: MEMBER_OF_SESSION, variables: { id: sessionId } };
  const [grants, held] = await Promise.all([
    findGrants(ctx, session.workspaceId),
    ctx.services.peers.ask(there, 'loyalty', question),
  ]);
  if (!grants || held['_memberOfSession'] !== session.subject) throw refused();
  const actor = `member:${session.subject}`;
  const caller = { kind: 'MEMBER', mode: session.mode, actor, role: null, scopes: [] } as const;
  return { ...caller, memberSessionId: sessionId, ...granted(grants) };
}

/** A module that the catalog no longer has is ignored. */
const granted = ({ modules, ...grants }: Grants): Grants => ({
  ...grants,
  modules: modules.filter(isModuleKey),
});
