import type { Context } from '@loyalty/platform/context';
import { questions } from './peers.ts';

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}

/** The workspace's own IANA time zone. @throws AppError PEER_UNAVAILABLE (503) */
export async function workspaceTimeZone(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceTimeZone, {})).workspace.timeZone;
}

/** The calendar day, YYYY-MM-DD, that an instant falls on in an IANA time zone. */
export const dayIn = (timeZone: string, instant: Date): string =>
  // Swedish dates are written as ISO 8601 writes them.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(instant);
