import { AppError } from '@loyalty/platform/errors';
import type { OperationFacts } from './operation.ts';

/** Bounds of one operation, checked before anything runs; the adapter's own documents keep them too. */
export const limits = {
  depth: 10,
  aliases: 30,
  rootFields: 20,
  tokens: 2_000,
  bodyBytes: 256 * 1024,
} as const;

/** The first bound that the operation breaks; null when it keeps all. */
export function limitExceeded(facts: OperationFacts): AppError | null {
  // An introspection query is deep by nature and answered from the schema alone.
  if (facts.isIntrospection) return null;
  for (const name of ['depth', 'aliases', 'rootFields'] as const) {
    if (facts[name] > limits[name]) {
      const excess = `This operation has ${facts[name]} ${words[name]}, at most ${limits[name]} are allowed.`;
      return new AppError('BAD_USER_INPUT', 'OPERATION_TOO_LARGE', `${excess} Split it up.`);
    }
  }
  return null;
}

const words = { depth: 'levels of depth', aliases: 'aliases', rootFields: 'root fields' } as const;
