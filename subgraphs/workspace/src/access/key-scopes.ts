import type { Caller } from '@loyalty/platform/base/caller';
import { AppError, forbidden, invalid } from '@loyalty/platform/base/errors';
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
 * @param options.withModel - whether scopes of the model API can be granted here
 * @throws AppError SCOPE_UNKNOWN, SCOPE_NOT_GRANTABLE, VALIDATION_FAILED for an empty list (400),
 *   SCOPE_MISSING (403). Each names every refused scope.
 */
export function checkScopes(
  caller: Caller,
  field: string,
  wanted: readonly string[],
  { withModel = true } = {},
): string[] {
  if (wanted.length === 0) throw invalid(field, inputRule('REQUIRED', 'must name at least one scope'));
  const expanded = withEverySentence(() =>
    gathered((check) =>
      wanted.flatMap((scope, index) => check(() => expandedScope(`${field}[${index}]`, scope, withModel))),
    ),
  );
  const scopes = [...new Set(expanded)].sort();
  const lacking = scopes.filter((scope) => !scopesSuffice(caller, [[scope]]));
  if (lacking.length > 0) {
    const named = `the scope${lacking.length > 1 ? 's' : ''} ${lacking.join(', ')}`;
    throw forbidden('SCOPE_MISSING', `You cannot grant ${named}, which you do not have.`);
  }
  if (scopes.some(isV1Scope)) requireAdmin(caller);
  return scopes;
}

function expandedScope(field: string, scope: string, withModel: boolean): readonly string[] {
  const scopes: readonly string[] = Object.hasOwn(presets, scope) ? presets[scope]!.scopes : [scope];
  if (!scopes.every(isScope)) throw invalid(field, itemRule(scope, 'must be a known scope'), 'SCOPE_UNKNOWN');
  if (!withModel && scopes.some(isV1Scope))
    throw invalid(field, itemRule(scope, 'is granted in the application only'), 'SCOPE_NOT_GRANTABLE');
  return scopes;
}

/** Puts the sentences of all refused scopes into the error's own: errors of the v2 API have only that one. */
function withEverySentence<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    const sentences = error.details.errors.map(({ message }) => message);
    throw new AppError(error.category, error.code, sentences.join(' '), error.details);
  }
}

/**
 * Requires an administrator: a key of the model API must be created by an active person, not by another key.
 */
function requireAdmin(caller: Caller): void {
  if (isAdminUser(caller)) return;
  throw forbidden('ROLE_REQUIRED', 'Scopes of the model API are granted by a signed-in owner or admin only.');
}
