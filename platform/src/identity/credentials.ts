import type { ExecutionResult } from 'graphql';
import type { Context, CurrentRequest } from '../context.ts';

/** Live channel of changed credentials: gateways drop what they cached of them at once. */
export const CREDENTIALS_CHANNEL = 'credentials';

/** Whose credentials: one API key, every session of one user, or everybody's in one workspace. */
export type CredentialSubject =
  | `key:${string}`
  | `user:${string}`
  | `member:${string}`
  | `workspace:${string}`;

/**
 * Makes every gateway look the credentials up again, once the change is kept: the one that sent the request
 * before it answers, others as soon as the live event reaches them.
 */
export function forgetCredentials(ctx: Context, ...subjects: CredentialSubject[]): void {
  for (const subject of subjects) {
    ctx.afterCommit(() => {
      ctx.request.changedCredentials.add(subject);
      return ctx.services.live.publish(CREDENTIALS_CHANNEL, subject);
    });
  }
}

/** Name in the extensions of a subgraph's answer; the gateway reads it and does not pass it on. */
const EXTENSION = 'changedCredentials';

/** The answer of a subgraph with the credentials that its request changed. */
export function withChangedCredentials(
  result: ExecutionResult,
  { changedCredentials }: Pick<CurrentRequest, 'changedCredentials'>,
): ExecutionResult {
  if (changedCredentials.size === 0) return result;
  return { ...result, extensions: { ...result.extensions, [EXTENSION]: [...changedCredentials] } };
}

/** The credentials that an answer says were changed. */
export function changedCredentialsIn({ extensions }: ExecutionResult): readonly string[] {
  const changed = extensions?.[EXTENSION];
  return Array.isArray(changed) ? changed.filter((subject) => typeof subject === 'string') : [];
}
