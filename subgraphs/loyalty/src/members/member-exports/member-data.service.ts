import type { Context } from '@loyalty/platform/context';
import type { SubgraphName } from '@loyalty/platform/graph/subgraph-name';
import { openPersonal } from '../members/members.personal.ts';
import { type Member, unmasked } from '../members/members.service.ts';
import { readMemberData } from './member-data.store.ts';

/**
 * Other subgraphs that store data about members, with the field that returns it: `field(memberId: ID!):
 * JSON!`.
 */
const sources: readonly { readonly subgraph: SubgraphName; readonly field: string }[] = [
  { subgraph: 'commerce', field: '_commerceMemberData' },
  { subgraph: 'engagement', field: '_memberData' },
  { subgraph: 'model', field: '_modelMemberData' },
];

/**
 * Everything that the product stores about a member at this moment, personal data unmasked. Data of another
 * subgraph is stored under its name.
 *
 * @throws AppError PEER_UNAVAILABLE (503): no export is better than an incomplete one
 * @remarks Source: requirements L-MEM-30, GDPR article 15
 */
export async function gatherMemberData(ctx: Context, member: Member): Promise<Record<string, unknown>> {
  const others: Record<string, unknown> = {};
  for (const { subgraph, field } of sources) {
    const query = `query MemberData($memberId: ID!) { ${field}(memberId: $memberId) }`;
    const answer = await ctx.services.peers.ask(ctx, subgraph, { query, variables: { memberId: member.id } });
    others[subgraph] = answer[field];
  }
  return {
    exportedAt: ctx.clock.now(),
    member: await identity(ctx, unmasked(member)),
    loyalty: await readMemberData(ctx, member.id),
    ...others,
  };
}

async function identity(ctx: Context, member: Member): Promise<Record<string, unknown>> {
  return {
    id: member.id,
    email: await openPersonal(ctx, member, 'email'),
    name: await openPersonal(ctx, member, 'name'),
    phone: await openPersonal(ctx, member, 'phone'),
    birthOn: await openPersonal(ctx, member, 'birthOn'),
    externalId: member.externalId,
    programId: member.programId,
    homeStoreId: member.homeStoreId,
    locale: member.locale,
    timeZone: member.timeZone,
    status: member.status,
    enrollmentSource: member.enrollmentSource,
    isRestricted: member.isRestricted,
    customAttributes: member.customAttributes,
    pointsBalance: member.pointsBalance,
    pointsEarned: Number(member.pointsEarned),
    createdAt: member.createdAt,
    updatedAt: member.updatedAt,
    lastActivityAt: member.lastActivityAt,
  };
}
