import type { Context } from '@loyalty/platform/context';
import { questions } from './peers.ts';

/** Returns the workspace's name. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}

/** Returns the workspace's own IANA time zone. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceTimeZone(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceTimeZone, {})).workspace.timeZone;
}

/** Returns the calendar day, YYYY-MM-DD, of an instant in an IANA time zone. */
export const dayIn = (timeZone: string, instant: Date): string =>
  // The Swedish date format is that of ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
