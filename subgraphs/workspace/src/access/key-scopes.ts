import type { Caller } from '@loyalty/platform/base/caller';
import { forbidden, invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { itemRule } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import { isAdminUser } from '../accounts/accounts.service.ts';
import { isScope, isV1Scope, presets, scopeDescriptions } from './scopes.ts';

/** A scope with its description. */
interface DescribedScope {
  readonly name: string;
  readonly description: string;
  readonly isOfModel: boolean;
}

/** Returns the scopes that the caller may give to a key, and the presets whose scopes it may all give. */
export function grantableScopes(caller: Caller) {
  const isGrantable = (scope: string): boolean =>
    scopesSuffice(caller, [[scope]]) && (!isV1Scope(scope) || isAdminUser(caller));
  const scopes = Object.entries(scopeDescriptions)
    .filter(([name]) => isGrantable(name))
    .map(([name, description]): DescribedScope => ({ name, description, isOfModel: isV1Scope(name) }));
  const whole = Object.entries(presets).filter(([, preset]) => preset.scopes.every(isGrantable));
  return {
    scopes,
    presets: whole.map(([name, { label, scopes: all }]) => ({ name, label, scopes: [...all] })),
  };
}

/**
 * Returns the scopes of a new key, with presets replaced by their scopes, each once.
 *
 * @param field - path of the list of scopes, for errors
 * @throws AppError SCOPE_UNKNOWN, VALIDATION_FAILED for an empty list (400), SCOPE_MISSING (403) for a scope
 *   that the caller does not have
 */
export function checkScopes(caller: Caller, field: string, wanted: readonly string[]): string[] {
  if (wanted.length === 0) throw invalid(field, inputRule('REQUIRED', 'must name at least one scope'));
  const expanded = gathered((check) =>
    wanted.flatMap((scope, index) => check(() => expandedScope(`${field}[${index}]`, scope))),
  );
  const scopes = [...new Set(expanded)].sort();
  const lacking = scopes.find((scope) => !scopesSuffice(caller, [[scope]]));
  if (lacking)
    throw forbidden('SCOPE_MISSING', `You cannot grant the scope ${lacking}, which you do not have.`);
  if (scopes.some(isV1Scope)) requireAdmin(caller);
  return scopes;
}

function expandedScope(field: string, scope: string): readonly string[] {
  const scopes: readonly string[] = Object.hasOwn(presets, scope) ? presets[scope]!.scopes : [scope];
  if (!scopes.every(isScope)) throw invalid(field, itemRule(scope, 'must be a known scope'), 'SCOPE_UNKNOWN');
  return scopes;
}

/**
 * Requires an administrator: a key of the model API must be created by an active person, not by another key.
 */
function requireAdmin(caller: Caller): void {
  if (isAdminUser(caller)) return;
  throw forbidden('ROLE_REQUIRED', 'Scopes of the model API are granted by a signed-in owner or admin only.');
}
