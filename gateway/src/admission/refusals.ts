import type { Caller } from '@loyalty/platform/base/caller';
import { type AppError, forbidden, refusedAt } from '@loyalty/platform/base/errors';
import { refusal, scopesSuffice } from '@loyalty/platform/identity/refusal';
import { INTROSPECTION } from '../operations/operation-facts.ts';
import type { KnownOperation } from '../operations/operations.ts';
import type { Variables } from '../transport/transport.ts';

/**
 * Returns the refusal if the caller may not run the operation with these variables, by the `@access` of the
 * schema; otherwise null. One refused field refuses the whole operation, because an answer must never omit a
 * field silently.
 */
export function refusalOf({ facts }: KnownOperation, variables: Variables, caller: Caller): AppError | null {
  for (const { demand, path } of facts.demands(variables)) {
    const refused = demand === INTROSPECTION ? introspectionRefusal(caller) : refusal(caller, demand);
    if (refused) return refusedAt(refused, path);
  }
  return null;
}

const introspectionRefusal = (caller: Caller): AppError | null =>
  caller.kind === 'USER' || (caller.kind === 'KEY' && scopesSuffice(caller, [['introspection:read']]))
    ? null
    : forbidden(
        'SCOPE_MISSING',
        'Reading the schema needs a signed-in user or the scope introspection:read.',
      );
