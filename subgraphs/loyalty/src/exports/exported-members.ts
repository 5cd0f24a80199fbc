import { inTurns } from '@loyalty/platform/base/batches';
import type { Context } from '@loyalty/platform/context';
import type { Cell, ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { z } from 'zod';
import { visibleAttributes } from '../fields/custom-field-values.service.ts';
import { openMemberList } from '../member-details/member-list.service.ts';
import type { Member } from '../members/members.service.ts';
import { openPersonal, unmasked } from '../members/personal-fields.ts';
import { findTier } from '../tiers/tiers.service.ts';
import { memberListExportRequested } from './exports.events.ts';

const text = z.string().optional();
const points = z.int().optional();
const filter = z.object({
  ...{ programId: text, tag: text, search: text, segmentId: text, tierId: text, storeId: text },
  ...{ joinedFrom: text, joinedTo: text, activeFrom: text, activeTo: text },
  ...{ pointsMin: points, pointsMax: points },
  status: z
    .enum(['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE', 'DEACTIVATION_PENDING', 'DELETED'])
    .optional(),
  masked: z.boolean().optional(),
});

/**
 * Exports members, sorted by id: points and the last activity change during the export, so that an order by
 * them would miss members and repeat others.
 */
export const exportedMembers: ExportDefinition<z.infer<typeof filter>> = {
  kind: 'MEMBERS',
  columns: [
    ...['id', 'external_id', 'name', 'email', 'phone', 'status', 'tier', 'points_balance', 'points_earned'],
    ...['program_id', 'home_store_id', 'enrollment_source', 'is_restricted', 'locale', 'time_zone'],
    ...['custom_attributes', 'created_at', 'last_activity_at'],
  ],
  filter,
  searched: ['search'],
  job: 'loyalty.export-members',
  requested: memberListExportRequested,
  async open(ctx, { masked, ...conditions }) {
    const list = await openMemberList(ctx, conditions);
    const first = { size: 1, cursorId: null, isBackward: false, offset: 0 };
    return {
      count: async () => (await list(ctx, first)).total(),
      async read(tx, cursorId, size) {
        const { rows, hasNextPage } = await list(tx, { ...first, size, cursorId });
        const written: (readonly Cell[])[] = [];
        for await (const member of inTurns(rows)) written.push(await rowOf(tx, member, masked ?? false));
        return { rows: written, after: hasNextPage ? rows.at(-1)!.id : null };
      },
    };
  },
};

/** The list shows no birthday, so the file has none either. */
async function rowOf(ctx: Context, found: Member, isMasked: boolean): Promise<readonly Cell[]> {
  const member = isMasked ? found : unmasked(found);
  const tier = member.currentTierId ? await findTier(ctx, member.currentTierId) : null;
  return [
    member.id,
    member.externalId,
    await openPersonal(ctx, member, 'name'),
    await openPersonal(ctx, member, 'email'),
    await openPersonal(ctx, member, 'phone'),
    ...[member.status, tier?.name ?? null, member.pointsBalance, member.pointsEarned],
    ...[member.programId, member.homeStoreId, member.enrollmentSource, member.isRestricted],
    ...[member.locale, member.timeZone],
    await visibleAttributes(ctx, member.customAttributes),
    ...[member.createdAt, member.lastActivityAt],
  ];
}
