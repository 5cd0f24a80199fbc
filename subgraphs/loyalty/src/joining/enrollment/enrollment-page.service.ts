import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { type ConsentPurpose, consentPurposes } from '../../members/consents/consent-purposes.ts';
import { findFormByToken } from '../enrollment-forms/enrollment-forms.service.ts';
import type { Enrol } from './enrollment.service.ts';
import { workspaceName } from './workspace-name.ts';

export interface EnrollmentPage {
  readonly workspaceName: string;
  readonly fields: readonly { readonly name: keyof Enrol; readonly isRequired: boolean }[];
  readonly consents: readonly ConsentPurpose[];
}

/** Labels of custom fields are written for the team, so no form shows them; `enrol` accepts their values. */
const fields: EnrollmentPage['fields'] = [
  { name: 'email', isRequired: true },
  { name: 'fullName', isRequired: false },
  { name: 'phone', isRequired: false },
  { name: 'birthOn', isRequired: false },
  { name: 'referralCode', isRequired: false },
];

/** The content of an open form's public page; null where there is none. */
export async function findEnrollmentPage(ctx: Context, token: string): Promise<EnrollmentPage | null> {
  const form = await findFormByToken(ctx, token);
  if (!form) return null;
  const name = await workspaceName(ctx.as(systemCaller('enrollment', form)));
  return { workspaceName: name, fields, consents: consentPurposes };
}
