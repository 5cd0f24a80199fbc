import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from '#generated/peers';
import { findMembers, questions } from '../../peers.ts';

/** Whether somebody agrees to one purpose. */
export interface Preference {
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
}

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
export async function senderName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}

/** The member that has an address now; null without one. @throws AppError PEER_UNAVAILABLE (503) */
export async function memberWith(ctx: Context, emailIndex: string): Promise<string | null> {
  const [member] = await findMembers(ctx, { emailIndexes: [emailIndex] });
  return member?.id ?? null;
}

/** @throws AppError PEER_UNAVAILABLE (503) */
export async function consentsOf(ctx: Context, id: string): Promise<readonly Preference[]> {
  const { member } = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberConsents, { id });
  return member?.consents ?? [];
}

/** The same again changes nothing. @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503) */
export async function setConsent(ctx: Context, id: string, consent: Preference): Promise<void> {
  await ctx.services.peers.ask(ctx, 'loyalty', questions.SetConsent, { id, ...consent });
}
