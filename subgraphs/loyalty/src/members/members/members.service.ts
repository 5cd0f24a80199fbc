import type { Context } from '@loyalty/platform/context';
import { conflict, notFound } from '@loyalty/platform/errors';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/loading/pages';
import { publish } from '@loyalty/platform/outbox/events';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/values/email';
import { newId } from '@loyalty/platform/values/ids';
import { askOptOuts, keepOptOuts } from '../../joining/opt-outs/opt-outs.service.ts';
import { checkStore } from '../../visits/stores/stores.service.ts';
import { checkAttributes } from '../custom-fields/custom-field-values.service.ts';
import { checkTagKeys } from '../tags/tag-keys.ts';
import { findTagId, putTags } from '../tags/tagging.service.ts';
import { possibleMemberIds } from './external-ids.ts';
import { createMemberKey, openMemberKey } from './member-key.ts';
import { memberCreated, memberUpdated } from './members.events.ts';
import { checkMemberInput, type MemberInput, saysPersonal, sealDetails } from './members.input.ts';
import { sealPersonal, unmasked } from './members.personal.ts';
import {
  changeMember,
  type EnrollmentSource,
  emailIsTaken,
  findMember as findRow,
  holdMember as holdRow,
  insertMember,
  type Member,
  type MemberFilter,
  type MemberStatus,
  memberById,
  membersPage,
} from './members.store.ts';

export type { Member, MemberStatus };
export { unmasked };

type Attributes = Readonly<Record<string, unknown>> | null | undefined;

export interface CreateMember extends MemberInput {
  readonly email: string;
  readonly enrollmentSource?: EnrollmentSource | null | undefined;
  readonly customAttributes?: Attributes;
  /** Tags by key or label. */
  readonly tags?: readonly string[] | null | undefined;
}

export interface UpdateMember extends MemberInput {
  readonly customAttributes?: Attributes;
}

/** Who joins through the workspace's own systems is known to them already; others prove themselves first. */
export const statusAtFirst: Readonly<Record<EnrollmentSource, MemberStatus>> = {
  API: 'ACTIVE',
  IMPORT: 'ACTIVE',
  QR: 'PENDING',
  PORTAL: 'PENDING',
  WEB: 'PENDING',
};

/**
 * One member with personal fields in clear; null when there is none or it was erased.
 *
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}
 */
export async function findMember(ctx: Context, id: string): Promise<Member | null> {
  const member = await ctx.load(memberById, id);
  return member && member.status !== 'DELETED' ? unmasked(member) : null;
}

/**
 * A member that something refers to, erased ones too, personal fields masked; null when the workspace has
 * none.
 */
export const referredMember = (ctx: Context, id: string): Promise<Member | null> => ctx.load(memberById, id);

/**
 * The member as it is now, for slices that act on it; erased ones do not exist any more.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function getMember(ctx: Context, id: string): Promise<Member> {
  const member = await findRow(ctx, id);
  if (!member || member.status === 'DELETED') throw notFound('member', id);
  return member;
}

/**
 * As `getMember`, and nobody erases the member before the transaction ends: for what is kept beside its row.
 *
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function holdMember(tx: Context, id: string): Promise<Member> {
  const member = await holdRow(tx, id);
  if (!member) throw notFound('member', id);
  return member;
}

/**
 * Members, newest first, personal fields masked; erased ones only where the status asks for them.
 *
 * @param args.search - a whole e-mail address or a whole external id
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Members", GET /members
 */
export async function listMembers(
  ctx: Context,
  args: PageArgs & {
    readonly status?: MemberStatus | null | undefined;
    readonly programId?: string | null | undefined;
    readonly tag?: string | null | undefined;
    readonly search?: string | null | undefined;
  },
): Promise<Page<Member>> {
  const { status = null, programId = null } = args;
  const request = pageRequest(args);
  const tagId = args.tag ? await findTagId(ctx, args.tag) : null;
  if (args.tag && !tagId) return page(request, [], async () => 0);
  return membersPage(ctx, request, {
    status,
    programId,
    tagId,
    search: await searchFilter(ctx, args.search?.trim()),
  });
}

async function searchFilter(ctx: Context, text: string | undefined): Promise<MemberFilter['search']> {
  if (!text) return null;
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return { emailIndexes: keys.indexes(text.toLowerCase(), EMAIL_INDEX), externalId: text };
}

/**
 * Enrols a member and tells so; the address is unique among the workspace's members of the mode.
 *
 * @throws AppError MEMBER_EXISTS, EXTERNAL_ID_EXISTS (409), VALIDATION_FAILED, UNKNOWN_CUSTOM_FIELD (400),
 *   STORE_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", POST /members
 */
export async function createMember(ctx: Context, input: CreateMember): Promise<Member> {
  const email = checkEmail('input.email', input.email);
  const checked = checkMemberInput(input, today(ctx));
  await checkStore(ctx, 'input.homeStoreId', checked.homeStoreId);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const enrollmentSource = input.enrollmentSource ?? 'API';
  const tags = checkTagKeys('input.tags', input.tags ?? []);
  const emailIndexes = keys.indexes(email, EMAIL_INDEX);
  const id = newId(ctx.clock);
  const { key, keySealed } = createMemberKey(keys, id);
  const sealed = { ...sealDetails(key, checked), keySealed, emailSealed: sealPersonal(key, 'email', email)! };
  return ctx.transaction(async (tx) => {
    const { set } = await checkAttributes(tx, 'input.customAttributes', input.customAttributes ?? {});
    const hasOptedOut = await askOptOuts(tx, emailIndexes);
    const isUnsubscribed = hasOptedOut(emailIndexes);
    const status = statusAtFirst[enrollmentSource];
    const member = await insertMember(tx, {
      ...sealed,
      id,
      emailIndexes,
      status: isUnsubscribed && status === 'ACTIVE' ? 'UNSUBSCRIBED' : status,
      enrollmentSource,
      isUnsubscribed,
      customAttributes: set,
    });
    if (!member) throw (await emailIsTaken(tx, emailIndexes)) ? memberExists() : externalIdExists();
    if (isUnsubscribed) await keepOptOuts(tx, [{ memberId: id, emailIndex: emailIndexes[0]! }], hasOptedOut);
    await publish(tx, memberCreated, { memberId: member.id });
    if (tags.length > 0) await putTags(tx, [{ memberId: member.id, tags }]);
    return unmasked(member);
  });
}

/**
 * Changes the named details: absent ones stay, null clears. Attributes are merged key by key in one
 * statement, so
 * that concurrent changes of different keys all survive. A call that names nothing changes and tells nothing.
 *
 * @throws AppError MEMBER_NOT_FOUND, STORE_NOT_FOUND (404), EXTERNAL_ID_EXISTS (409), VALIDATION_FAILED,
 *   UNKNOWN_CUSTOM_FIELD (400), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", PATCH /members/{id}
 */
export async function updateMember(ctx: Context, id: string, input: UpdateMember): Promise<Member> {
  const checked = checkMemberInput(input, today(ctx));
  const attributes = input.customAttributes ?? {};
  const changesAttributes = Object.keys(attributes).length > 0;
  const fields = [...Object.keys(checked), ...(changesAttributes ? ['customAttributes'] : [])];
  if (fields.length === 0) return unmasked(await getMember(ctx, id));
  await checkStore(ctx, 'input.homeStoreId', checked.homeStoreId);
  return ctx.transaction(async (tx) => {
    await refuseMemberId(tx, id, checked.externalId);
    const key = saysPersonal(checked) ? await openMemberKey(tx, await getMember(tx, id)) : null;
    const details = sealDetails(key, checked);
    const change = changesAttributes ? await checkAttributes(tx, 'input.customAttributes', attributes) : null;
    const member = await changeMember(tx, id, details, change);
    if (member === 'EXTERNAL_ID_TAKEN') throw externalIdExists();
    if (!member) throw notFound('member', id);
    await publish(tx, memberUpdated, { memberId: id, fields });
    return unmasked(member);
  });
}

/** @throws AppError EXTERNAL_ID_EXISTS (409) where the external id is the id of another member */
async function refuseMemberId(tx: Context, id: string, externalId: string | null | undefined): Promise<void> {
  const [other] = possibleMemberIds(externalId ? [externalId] : []);
  if (other && other !== id.toLowerCase() && (await findRow(tx, other))) throw externalIdExists();
}

const today = (ctx: Context): string => ctx.clock.now().toISOString().slice(0, 10);

const memberExists = () =>
  conflict('MEMBER_EXISTS', 'A member with this e-mail address exists. Update that member instead.', {
    field: 'input.email',
  });

const externalIdExists = () =>
  conflict(
    'EXTERNAL_ID_EXISTS',
    'Another member has this external id, or has it as its id. Send a different one.',
    {
      field: 'input.externalId',
    },
  );
