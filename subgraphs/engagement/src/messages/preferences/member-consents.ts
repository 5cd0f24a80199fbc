import { findMembers } from '@loyalty/loyalty-subgraph/members/member-refs/member-refs.peer';
import type { Context } from '@loyalty/platform/context';

/** Whether somebody agrees to one purpose. */
export interface Preference {
  readonly purpose: 'PRECISE_LOCATION' | 'EMAIL_MARKETING' | 'PROFILING';
  readonly isGranted: boolean;
}

const WORKSPACE = 'query WorkspaceName { workspace { name } }';
const CONSENTS = 'query Consents($id: ID!) { member(id: $id) { consents { purpose isGranted } } }';
const SET = `mutation SetConsent($id: ID!, $purpose: ConsentPurpose!, $isGranted: Boolean!) {
  setMemberConsent(memberId: $id, purpose: $purpose, granted: $isGranted, source: "preference-centre") { id }
}`;

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
export async function senderName(ctx: Context): Promise<string> {
  const { workspace } = await ctx.services.peers.ask(ctx, 'workspace', { query: WORKSPACE, variables: {} });
  return (workspace as { name: string }).name;
}

/** The member that has an address now; null without one. @throws AppError PEER_UNAVAILABLE (503) */
export async function memberWith(ctx: Context, emailIndex: string): Promise<string | null> {
  const [member] = await findMembers(ctx, { emailIndexes: [emailIndex] });
  return member?.id ?? null;
}

/** @throws AppError PEER_UNAVAILABLE (503) */
export async function consentsOf(ctx: Context, id: string): Promise<readonly Preference[]> {
  const { member } = await ctx.services.peers.ask(ctx, 'loyalty', { query: CONSENTS, variables: { id } });
  return (member as { consents: Preference[] } | null)?.consents ?? [];
}

/** The same again changes nothing. @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503) */
export async function setConsent(ctx: Context, id: string, consent: Preference): Promise<void> {
  await ctx.services.peers.ask(ctx, 'loyalty', { query: SET, variables: { id, ...consent } });
}
