import type { Context } from './context.ts';

/** Live channel on which gateways hear whose credentials changed: they drop what they cached at once. */
export const CREDENTIALS_CHANNEL = 'credentials';

/** Whose credentials: one API key, every session of one user, or everybody's in one workspace. */
export type CredentialSubject =
  | `key:${string}`
  | `user:${string}`
  | `member:${string}`
  | `workspace:${string}`;

/** Tells every gateway, once the change is kept, to look the credentials up again. */
export function forgetCredentials(ctx: Context, ...subjects: CredentialSubject[]): void {
  for (const subject of subjects)
    ctx.afterCommit(() => ctx.services.live.publish(CREDENTIALS_CHANNEL, subject));
}
