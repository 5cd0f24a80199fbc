import { refusal, scopesSuffice } from '@loyalty/platform/access';
import type { Caller } from '@loyalty/platform/caller';
import { type AppError, forbidden } from '@loyalty/platform/errors';
import type { KnownOperation } from './operations.ts';

/** Why the caller may not run the operation, from what the schema declares; null where he may. */
export function refusalOf({ facts }: KnownOperation, caller: Caller): AppError | null {
  if (facts.isIntrospection && !mayIntrospect(caller)) {
    return forbidden(
      'SCOPE_MISSING',
      'Reading the schema needs a signed-in user or the scope introspection:read.',
    );
  }
  for (const required of facts.accesses) {
    const refused = refusal(caller, required);
    if (refused) return refused;
  }
  return null;
}

const mayIntrospect = (caller: Caller): boolean =>
  caller.kind === 'USER' || (caller.kind === 'KEY' && scopesSuffice(caller, [['introspection:read']]));
