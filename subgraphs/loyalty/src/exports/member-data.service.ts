import type { Context } from '@loyalty/platform/context';
import { type Member, unmasked } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { questions } from '../peers.ts';
import { readMemberData } from './member-data.store.ts';

/**
 * Everything that the product stores about a member at this moment, personal data unmasked. Data of another
 * subgraph is stored under its name.
 *
 * @throws AppError PEER_UNAVAILABLE (503): no export is better than an incomplete one
 * @remarks Source: requirements L-MEM-30, GDPR article 15
 */
export async function gatherMemberData(ctx: Context, member: Member): Promise<Record<string, unknown>> {
  const { peers } = ctx.services;
  const of = { memberId: member.id };
  const commerce = await peers.ask(ctx, 'commerce', questions.CommerceMemberData, of);
  const engagement = await peers.ask(ctx, 'engagement', questions.EngagementMemberData, of);
  const model = await peers.ask(ctx, 'model', questions.ModelMemberData, of);
  return {
    exportedAt: ctx.clock.now(),
    member: await identity(ctx, unmasked(member)),
    loyalty: await readMemberData(ctx, member.id),
    commerce: commerce.data,
    engagement: engagement.data,
    model: model.data,
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
