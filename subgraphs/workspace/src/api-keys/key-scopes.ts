import { scopesSuffice } from '@loyalty/platform/caller/access';
import type { Caller } from '@loyalty/platform/caller/caller';
import { forbidden, invalid } from '@loyalty/platform/errors';
import { isAdminUser } from '../accounts/admin-roles.ts';
import { isScope, isV1Scope, presets } from './scopes.ts';

/**
 * The scopes that a new key gets, presets replaced by what they stand for, each once.
 *
 * @param field - path of the list of scopes, for errors
 * @throws AppError SCOPE_UNKNOWN, VALIDATION_FAILED for an empty list (400), SCOPE_MISSING (403) for what the
 *   caller lacks
 */
export function checkScopes(caller: Caller, field: string, wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw invalid(field, 'must name at least one scope');
  const expanded = wanted.flatMap((scope, index) => {
    const scopes = Object.hasOwn(presets, scope) ? presets[scope]! : [scope];
    if (!scopes.every(isScope)) throw invalid(`${field}[${index}]`, 'must be a known scope', 'SCOPE_UNKNOWN');
    return scopes;
  });
  const scopes = [...new Set(expanded)].sort();
  const lacking = scopes.find((scope) => !scopesSuffice(caller, [[scope]]));
  if (lacking)
    throw forbidden('SCOPE_MISSING', `You cannot grant the scope ${lacking}, which you do not have.`);
  if (scopes.some(isV1Scope)) requireAdmin(caller);
  return scopes;
}

/** A key of the model API belongs to an active administrator: a person, not another key. */
function requireAdmin(caller: Caller): void {
  if (isAdminUser(caller)) return;
  throw forbidden('ROLE_REQUIRED', 'Scopes of the model API are granted by a signed-in owner or admin only.');
}
