import { systemCaller } from '@loyalty/platform/base/caller';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { type ConsentPurpose, consentPurposes } from '../consents/consents.events.ts';
import {
  findFormByToken,
  getOpenForm,
  type ScopedForm,
} from '../enrollment-forms/enrollment-forms.service.ts';
import { createMember } from '../member-details/member-details.service.ts';
import type { Member } from '../members/members.service.ts';
import { type AmbassadorCode, getLiveCode } from '../referrals/ambassador-codes.service.ts';
import { attribute } from '../referrals/referrals.service.ts';
import { workspaceName } from '../workspace.service.ts';
import { enrollmentRequested } from './enrollment.events.ts';
import {
  type Enrollment,
  enrollmentByMember,
  findUnconfirmedByEmail,
  insertEnrollment,
} from './enrollment.store.ts';
import { guardEnrollment } from './enrollment-guard.ts';

/** The fields of a form that a person fills in. */
export interface Enrol {
  readonly email: string;
  readonly fullName?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly birthOn?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly customAttributes?: Readonly<Record<string, unknown>> | null | undefined;
  readonly referralCode?: string | null | undefined;
  readonly consents?: readonly string[] | null | undefined;
}

/**
 * Joins by a form, in the form's workspace and mode. For the address of a known member, the answer and the
 * event are the same, so that nobody can find out who is a member. Members who have not confirmed yet get
 * their link again.
 *
 * @throws AppError ENROLLMENT_FORM_NOT_FOUND (404), VALIDATION_FAILED, UNKNOWN_CUSTOM_FIELD,
 *   REFERRAL_CODE_INVALID (400), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: requirements L-MEM-10
 */
export async function enrol(ctx: Context, token: string, input: Enrol): Promise<{ accepted: true }> {
  const form = await getOpenForm(ctx, token);
  const email = checkEmail('input.email', input.email);
  const consents = checkConsents(input.consents ?? []);
  const inside = ctx.as(systemCaller('enrollment', form));
  await guardEnrollment(inside, form.id, email);
  const code = input.referralCode
    ? await getLiveCode(inside, 'input.referralCode', input.referralCode)
    : null;
  await inside.transaction(async (tx) => {
    const enrollmentId = await join(tx, form, { ...input, email, consents }, code);
    await publish(tx, enrollmentRequested, { enrollmentId });
  });
  return { accepted: true };
}

/** Returns the id of the enrollment whose link is mailed; an unused id if the address needs no link. */
async function join(
  tx: Context,
  form: ScopedForm,
  input: Enrol & { readonly consents: readonly ConsentPurpose[] },
  code: AmbassadorCode | null,
): Promise<string> {
  const id = newId(tx.clock);
  const member = await newMember(tx, form, input);
  if (!member) return (await findUnconfirmedByEmail(tx, await emailIndexes(tx, input.email))) ?? id;
  await insertEnrollment(tx, { id, formId: form.id, memberId: member.id, consents: input.consents });
  if (code) await attribute(tx, member, code);
  return id;
}

/** Returns null if the address is a member's. */
async function newMember(tx: Context, form: ScopedForm, input: Enrol): Promise<Member | null> {
  const { email, fullName, phone, birthOn, locale, timeZone, customAttributes } = input;
  const details = { email, fullName, phone, birthOn, locale, timeZone, customAttributes };
  const { source: enrollmentSource, programId, storeId: homeStoreId } = form;
  try {
    return await createMember(tx, { ...details, programId, homeStoreId, enrollmentSource });
  } catch (error) {
    if (error instanceof AppError && error.code === 'MEMBER_EXISTS') return null;
    throw error;
  }
}

async function emailIndexes(ctx: Context, email: string): Promise<string[]> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return keys.indexes(email, EMAIL_INDEX);
}

function checkConsents(consents: readonly string[]): ConsentPurpose[] {
  const unknown = consents.some((purpose) => !(consentPurposes as readonly string[]).includes(purpose));
  if (unknown) throw invalid('input.consents', `must be of ${consentPurposes.join(', ')}`);
  return consentPurposes.filter((purpose) => consents.includes(purpose));
}

/** Returns the enrollment of a member; null if no form was used. */
export const findEnrollment = (ctx: Context, memberId: string): Promise<Enrollment | null> =>
  ctx.load(enrollmentByMember, memberId);

export interface EnrollmentPage {
  readonly workspaceName: string;
  readonly fields: readonly { readonly name: keyof Enrol; readonly isRequired: boolean }[];
  readonly consents: readonly ConsentPurpose[];
}

/** Labels of custom fields are written for staff, so no form shows them; `enrol` accepts their values. */
const fields: EnrollmentPage['fields'] = [
  { name: 'email', isRequired: true },
  { name: 'fullName', isRequired: false },
  { name: 'phone', isRequired: false },
  { name: 'birthOn', isRequired: false },
  { name: 'referralCode', isRequired: false },
];

/** Returns the content of an open form's public page; null if there is none. */
export async function findEnrollmentPage(ctx: Context, token: string): Promise<EnrollmentPage | null> {
  const form = await findFormByToken(ctx, token);
  if (!form) return null;
  const name = await workspaceName(ctx.as(systemCaller('enrollment', form)));
  return { workspaceName: name, fields, consents: consentPurposes };
}
