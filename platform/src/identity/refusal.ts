import type { Caller, Role } from '../base/caller.ts';
import { type AppError, forbidden, refusedAt, unauthenticated } from '../base/errors.ts';
import type { Access } from './access.ts';
import type { Demanded } from './asked-fields.ts';

/** The properties of a caller that access depends on. */
export type Asking = Pick<Caller, 'kind' | 'role' | 'mode' | 'scopes' | 'modules' | 'lostScopes'>;

const RANK: Record<Role, number> = { MEMBER: 1, ADMIN: 2, OWNER: 3 };

const holds = (caller: Asking, scope: string): boolean =>
  caller.scopes.includes('*') || caller.scopes.includes(scope);

/** Returns whether the caller's scopes satisfy one of the alternatives. An empty list requires nothing. */
export const scopesSuffice = (caller: Asking, scopes: Access['scopes']): boolean =>
  scopes.length === 0 || scopes.some((all) => all.every((scope) => holds(caller, scope)));

/** A module counts as off unless it is known to be on. */
const moduleIsOn = (caller: Asking, module: string): boolean =>
  caller.modules.includes('*') || caller.modules.includes(module);

/**
 * Returns the refusal if the caller may not use one of these fields, otherwise null. The error names the path
 * of the first refused field.
 */
export function refusalAmong(caller: Asking, asked: readonly Demanded<Access>[]): AppError | null {
  for (const { demand, path } of asked) {
    const refused = refusal(caller, demand);
    if (refused) return refusedAt(refused, path);
  }
  return null;
}

/**
 * Returns the refusal if the caller may not use a field with this access, otherwise null. The gateway checks
 * before a request runs, and the subgraph checks again.
 */
export function refusal(caller: Asking, access: Access): AppError | null {
  if (caller.kind === 'SYSTEM') return null;
  if (!access.callers.includes(caller.kind.toLowerCase())) {
    if (caller.kind === 'ANONYMOUS') {
      return unauthenticated(
        'CREDENTIAL_MISSING',
        'Send an API key or a session token in the Authorization header.',
      );
    }
    const kinds = access.callers.filter((kind) => kind !== 'system');
    if (caller.kind === 'KEY' && kinds.length === 1 && kinds[0] === 'member') {
      return unauthenticated(
        'MEMBER_SESSION_REQUIRED',
        'An API key cannot do this: send the token of a signed-in member.',
      );
    }
    const who = kinds.join(' or ');
    return forbidden(
      'CALLER_REFUSED',
      `This is not for a ${caller.kind.toLowerCase()}: call it as ${who || 'the system'}.`,
    );
  }
  return callerRefusal(caller, access);
}

function callerRefusal(caller: Asking, access: Access): AppError | null {
  if (caller.kind === 'USER' && access.role && RANK[caller.role ?? 'MEMBER'] < RANK[access.role]) {
    return forbidden('ROLE_REQUIRED', `This needs the role ${access.role.toLowerCase()} in the workspace.`, {
      values: { role: access.role },
    });
  }
  if (caller.kind === 'KEY' && access.role && access.scopes.length === 0) {
    return forbidden(
      'ROLE_REQUIRED',
      `This needs a signed-in user with the role ${access.role.toLowerCase()}.`,
      { values: { role: access.role } },
    );
  }
  // Other callers have no scopes: they may use a field that names their kind.
  const isAskedForScopes = caller.kind === 'KEY' || caller.kind === 'USER';
  if (isAskedForScopes && !scopesSuffice(caller, access.scopes)) {
    const wanted = access.scopes.map((all) => all.join(' and ')).join(', or ');
    const lost = new Set(caller.lostScopes);
    const hasLost = access.scopes.some((all) =>
      all.every((scope) => lost.has(scope) || holds(caller, scope)),
    );
    const why = hasLost
      ? ', which this key lost: whoever made it is no admin of the workspace any more. Make a new key'
      : '';
    return forbidden('SCOPE_MISSING', `This needs the scope ${wanted}${why}.`);
  }
  if (access.liveOnly && caller.mode === 'TEST') {
    return forbidden('LIVE_ONLY', 'Test mode cannot change what live shares with it. Use a live credential.');
  }
  if (access.module && !moduleIsOn(caller, access.module)) {
    return forbidden('MODULE_DISABLED', `The module ${access.module} is not enabled in this workspace.`);
  }
  return null;
}
