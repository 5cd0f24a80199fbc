import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import type { MailMember, MailMembers } from '#generated/schema';
import { grantedPurposes } from '../consents/consents.service.ts';
import { listFieldKeys } from '../fields/custom-field-values.service.ts';
import { unmasked } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { findStores } from '../stores.service.ts';
import { findMailRows, type MailMemberRow } from './member-details.store.ts';

/**
 * Returns the data of members for mails; a batch takes as many statements and peer questions as one member.
 */
export async function mailMembers(ctx: Context, ids: readonly string[]): Promise<MailMembers> {
  const rows = await findMailRows(ctx, ids);
  const keys = await listFieldKeys(ctx);
  const zoneOf = await timeZones(ctx, rows);
  const members = await Promise.all(rows.map((row) => mailMember(ctx, row, zoneOf(row), keys.active)));
  return { members, customFieldKeys: keys.all };
}

/**
 * Returns the keys of all custom fields, including archived ones: templates that use them must stay readable.
 */
export const customFieldKeys = async (ctx: Context): Promise<string[]> => (await listFieldKeys(ctx)).all;

async function mailMember(
  ctx: Context,
  row: MailMemberRow,
  timeZone: string,
  activeKeys: ReadonlySet<string>,
): Promise<MailMember> {
  const shown = unmasked(row);
  const fullName = await openPersonal(ctx, shown, 'name');
  return {
    id: row.id,
    status: row.status,
    isRestricted: row.isRestricted,
    email: await openPersonal(ctx, shown, 'email'),
    emailIndex: row.emailIndex,
    fullName,
    firstName: fullName?.trim().split(/\s+/)[0] || null,
    locale: row.locale,
    timeZone,
    pointsBalance: row.pointsBalance,
    tier: row.tier,
    customAttributes: Object.fromEntries(
      Object.entries(row.customAttributes).filter(([key]) => activeKeys.has(key)),
    ),
    consents: grantedPurposes(row.decided),
  };
}

/** Returns the time zone of each member; stores and workspace are read only if a member has none. */
async function timeZones(
  ctx: Context,
  rows: readonly MailMemberRow[],
): Promise<(row: MailMemberRow) => string> {
  const without = rows.filter(({ timeZone }) => !timeZone);
  const storeIds = [...new Set(without.flatMap(({ homeStoreId }) => homeStoreId ?? []))];
  const stores = storeIds.length > 0 ? await findStores(ctx, storeIds) : [];
  const ofStore = new Map(stores.map(({ id, timeZone }) => [id, timeZone]));
  const ofWorkspace = without.length > 0 ? await timeZoneOf(ctx) : 'UTC';
  return ({ timeZone, homeStoreId }) => timeZone ?? ofStore.get(homeStoreId ?? '') ?? ofWorkspace;
}
