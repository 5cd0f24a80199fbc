import { notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId, randomBase62 } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Config } from '@loyalty/platform/config/config';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import { findStore } from '../stores.service.ts';
import {
  changeForm,
  countsByForm,
  type EnrollmentForm,
  type FormCounts,
  formById,
  formByToken,
  formsPage,
  insertForm,
  newestOpenForm,
  type PublicEnrollmentSource,
  type ScopedForm,
} from './enrollment-forms.store.ts';

export type { ScopedForm };

/** 22 of 62 characters: 131 bits. */
const TOKEN_LENGTH = 22;

/**
 * Creates a sign-up form, in the caller's mode.
 *
 * @throws AppError VALIDATION_FAILED (400), STORE_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 * @remarks Source: requirements L-MEM-10
 */
export async function createEnrollmentForm(
  ctx: Context,
  input: {
    readonly name: string;
    readonly source: PublicEnrollmentSource;
    readonly programId?: string | null | undefined;
    readonly storeId?: string | null | undefined;
  },
): Promise<EnrollmentForm> {
  const { source, storeId = null } = input;
  const { name, programId } = gathered((check) => ({
    name: check(() => checkText('input.name', input.name, 100)),
    programId: input.programId ? check(() => checkText('input.programId', input.programId!, 100)) : null,
  }));
  if (storeId && !(await findStore(ctx, storeId))) throw notFound('store', storeId);
  return ctx.transaction(async (tx) => {
    const token = randomBase62(TOKEN_LENGTH);
    const id = newId(tx.clock);
    const form = await insertForm(tx, { id, name, source, programId, storeId, token });
    const after = { name, source, programId, storeId };
    await audit(tx, {
      action: 'createEnrollmentForm',
      resourceType: 'EnrollmentForm',
      resourceId: id,
      after,
    });
    return form;
  });
}

/**
 * Closes a form, or reopens it.
 *
 * @throws AppError ENROLLMENT_FORM_NOT_FOUND (404)
 */
export async function setEnrollmentFormActive(
  ctx: Context,
  id: string,
  isActive: boolean,
): Promise<EnrollmentForm> {
  return ctx.transaction(async (tx) => {
    const form = await changeForm(tx, id, isActive);
    if (!form) throw notFound('enrollment form', id);
    const action = 'setEnrollmentFormActive';
    await audit(tx, { action, resourceType: 'EnrollmentForm', resourceId: id, after: { isActive } });
    return form;
  });
}

/**
 * Returns forms of the workspace and mode, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listEnrollmentForms(ctx: Context, args: PageArgs): Promise<Page<EnrollmentForm>> {
  return formsPage(ctx, pageRequest(args));
}

/**
 * Returns the open form of a token, in any workspace: public callers have only the token.
 *
 * @throws AppError ENROLLMENT_FORM_NOT_FOUND (404)
 */
export async function getOpenForm(ctx: Context, token: string): Promise<ScopedForm> {
  const form = await findFormByToken(ctx, token);
  if (!form) throw notFound('enrollment form', token);
  return form;
}

/** Like `getOpenForm`; null if there is none. */
export async function findFormByToken(ctx: Context, token: string): Promise<ScopedForm | null> {
  const form = await formByToken(ctx, token);
  return form?.isActive ? form : null;
}

/** Loads a form for an object that refers to it; null if there is none. */
export const findForm = (ctx: Context, id: string): Promise<EnrollmentForm | null> => ctx.load(formById, id);

/** Loads the workspace's newest open form; null if it has none. */
export const findOpenForm = (ctx: Context): Promise<EnrollmentForm | null> =>
  ctx.load(newestOpenForm, ctx.scope.mode);

/** Counts the members who joined by a form. */
export const countEnrollments = async (ctx: Context, id: string): Promise<FormCounts> =>
  (await ctx.load(countsByForm, id)) ?? { enrolled: 0, confirmed: 0 };

/** Returns the address of a form's page, for a QR code or a link. */
export const urlOfForm = (ctx: Context, form: EnrollmentForm): string =>
  formPage(ctx.services.config, form.token);

/** Returns the address of a form's public page, with an ambassador's code if given. */
export const formPage = (config: Config, formToken: string, code?: string): string =>
  `${publicUrl(config)}/enrol/${formToken}${code ? `?ref=${code}` : ''}`;

/** Returns the target of an ambassador's code while the workspace has no open form. */
export const codePage = (config: Config, code: string): string => `${publicUrl(config)}/enrol?ref=${code}`;

/**
 * Returns the address of the confirmation page. The token is in the fragment, which servers and referrers
 * never see.
 */
export const confirmationPage = (config: Config, token: string): string =>
  `${publicUrl(config)}/confirm-enrollment#token=${token}`;

/** Returns the address of the sign-in page; the token is in the fragment, like that of a confirmation. */
export const signInPage = (config: Config, token: string): string =>
  `${publicUrl(config)}/sign-in#token=${token}`;
