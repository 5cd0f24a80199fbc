import type { ExecutionResult } from 'graphql';
import type { Context, CurrentRequest } from '../context.ts';

/** Live channel of changed credentials. Gateways drop their cached copies when they receive a message. */
export const CREDENTIALS_CHANNEL = 'credentials';

/** The changed credentials: one API key, all sessions of one user, or all credentials of one workspace. */
export type CredentialSubject =
  | `key:${string}`
  | `user:${string}`
  | `member:${string}`
  | `workspace:${string}`;

/**
 * After the commit, makes all gateways load these credentials again: the gateway of this request before it
 * answers, others when the live event reaches them.
 */
export function forgetCredentials(ctx: Context, ...subjects: CredentialSubject[]): void {
  for (const subject of subjects) {
    ctx.afterCommit(() => {
      ctx.request.changedCredentials.add(subject);
      return ctx.services.live.publish(CREDENTIALS_CHANNEL, subject);
    });
  }
}

/** Name of the field in the extensions of a subgraph's answer. The gateway reads and removes it. */
const EXTENSION = 'changedCredentials';

/** Adds the changed credentials of the request to the answer of a subgraph. */
export function withChangedCredentials(
  result: ExecutionResult,
  { changedCredentials }: Pick<CurrentRequest, 'changedCredentials'>,
): ExecutionResult {
  if (changedCredentials.size === 0) return result;
  return { ...result, extensions: { ...result.extensions, [EXTENSION]: [...changedCredentials] } };
}

/** Returns the changed credentials in an answer. */
export function changedCredentialsIn({ extensions }: ExecutionResult): readonly string[] {
  const changed = extensions?.[EXTENSION];
  return Array.isArray(changed) ? changed.filter((subject) => typeof subject === 'string') : [];
}
