import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import { conflict, notFound } from '@loyalty/platform/base/errors';
import { gathered, gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { askOptOuts, keepOptOuts } from '../consents/opt-outs.service.ts';
import { checkAttributes } from '../fields/custom-field-values.service.ts';
import { changesNames, indexChangedMembers, indexNewMembers } from '../members/member-search.service.ts';
import { memberCreated, memberUpdated } from '../members/members.events.ts';
import {
  checkMemberInput,
  hasPersonal,
  type MemberInput,
  possibleMemberIds,
} from '../members/members.input.ts';
import {
  type EnrollmentSource,
  getMember,
  type Member,
  type MemberStatus,
  unmasked,
} from '../members/members.service.ts';
import { openMemberKey, sealDetails, sealMember } from '../members/sealing.ts';
import { checkTagKeys } from '../members/tag-keys.ts';
import { putTags } from '../members/tags.service.ts';
import { checkStore } from '../stores.service.ts';
import { changeMember, emailIsTaken, idIsTaken, insertMember } from './member-details.store.ts';

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

/** The customer's own systems know the people whom they enrol; others must confirm their address first. */
const initialStatus: Readonly<Record<EnrollmentSource, MemberStatus>> = {
  API: 'ACTIVE',
  IMPORT: 'ACTIVE',
  QR: 'PENDING',
  PORTAL: 'PENDING',
  WEB: 'PENDING',
};

/**
 * Enrols a member and publishes an event; the address is unique among the workspace's members of the mode.
 *
 * @throws AppError MEMBER_EXISTS, EXTERNAL_ID_EXISTS (409), VALIDATION_FAILED, UNKNOWN_CUSTOM_FIELD (400),
 *   STORE_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", POST /members
 */
export async function createMember(ctx: Context, input: CreateMember): Promise<Member> {
  const { email, checked, tags } = await gatheredWith(
    () =>
      gathered((check) => ({
        email: check(() => checkEmail('input.email', input.email)),
        checked: check(() => checkMemberInput(input, today(ctx))),
        tags: check(() => checkTagKeys('input.tags', input.tags ?? [])),
      })),
    () => checkedAttributes(ctx, input),
  );
  await checkStore(ctx, 'input.homeStoreId', checked.homeStoreId);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const enrollmentSource = input.enrollmentSource ?? 'API';
  const emailIndexes = keys.indexes(email, EMAIL_INDEX);
  const id = newId(ctx.clock);
  const { details, ...sealed } = sealMember(keys, { id, email, details: checked });
  return ctx.transaction(async (tx) => {
    const { set } = await checkedAttributes(tx, input);
    const hasOptedOut = await askOptOuts(tx, emailIndexes);
    const isUnsubscribed = hasOptedOut(emailIndexes);
    const status = initialStatus[enrollmentSource];
    const member = await insertMember(tx, {
      ...details,
      ...sealed,
      id,
      emailIndexes,
      status: isUnsubscribed && status === 'ACTIVE' ? 'UNSUBSCRIBED' : status,
      enrollmentSource,
      isUnsubscribed,
      customAttributes: set,
    });
    if (!member) throw (await emailIsTaken(tx, emailIndexes)) ? memberExists() : externalIdExists();
    await indexNewMembers(tx, [{ id, details: checked }]);
    if (isUnsubscribed) await keepOptOuts(tx, [{ memberId: id, emailIndex: emailIndexes[0]! }], hasOptedOut);
    await publish(tx, memberCreated, { memberId: member.id });
    if (tags.length > 0) await putTags(tx, [{ memberId: member.id, tags }]);
    return unmasked(member);
  });
}

/**
 * Changes details: an absent field does not change, null clears. Attributes are merged key by key in one
 * statement, so that concurrent changes of different keys are all kept. A call without fields changes and
 * publishes nothing.
 *
 * @throws AppError MEMBER_NOT_FOUND, STORE_NOT_FOUND (404), EXTERNAL_ID_EXISTS (409), VALIDATION_FAILED,
 *   UNKNOWN_CUSTOM_FIELD (400), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", PATCH /members/{id}
 */
export async function updateMember(ctx: Context, id: string, input: UpdateMember): Promise<Member> {
  const checked = await gatheredWith(
    () => checkMemberInput(input, today(ctx)),
    () => checkedAttributes(ctx, input),
  );
  const changesAttributes = Object.keys(input.customAttributes ?? {}).length > 0;
  const fields = [...Object.keys(checked), ...(changesAttributes ? ['customAttributes'] : [])];
  if (fields.length === 0) return unmasked(await getMember(ctx, id));
  await checkStore(ctx, 'input.homeStoreId', checked.homeStoreId);
  return ctx.transaction(async (tx) => {
    await refuseMemberId(tx, id, checked.externalId);
    const key = hasPersonal(checked) ? await openMemberKey(tx, await getMember(tx, id)) : null;
    const details = sealDetails(key, checked);
    const change = changesAttributes ? await checkedAttributes(tx, input) : null;
    const member = await changeMember(tx, id, details, change);
    if (member === 'EXTERNAL_ID_TAKEN') throw externalIdExists();
    if (!member) throw notFound('member', id);
    if (changesNames(checked)) await indexChangedMembers(tx, [member.id]);
    await publish(tx, memberUpdated, { memberId: id, fields });
    return unmasked(member);
  });
}

const checkedAttributes = (ctx: Context, { customAttributes }: { readonly customAttributes?: Attributes }) =>
  checkAttributes(ctx, 'input.customAttributes', customAttributes ?? {});

/** @throws AppError EXTERNAL_ID_EXISTS (409) if the external id is the id of another member */
async function refuseMemberId(tx: Context, id: string, externalId: string | null | undefined): Promise<void> {
  const [other] = possibleMemberIds(externalId ? [externalId] : []);
  if (other && other !== id.toLowerCase() && (await idIsTaken(tx, other))) throw externalIdExists();
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
