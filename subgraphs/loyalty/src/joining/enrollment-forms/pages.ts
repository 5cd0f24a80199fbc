import type { Config } from '@loyalty/platform/operations/config';
import { publicUrl } from '@loyalty/platform/outbound/public-url';

/** The public page of a form, with an ambassador's code filled in where there is one. */
export const formPage = (config: Config, formToken: string, code?: string): string =>
  `${publicUrl(config)}/enrol/${formToken}${code ? `?ref=${code}` : ''}`;

/** Where an ambassador's code leads while the workspace has no open form. */
export const codePage = (config: Config, code: string): string => `${publicUrl(config)}/enrol?ref=${code}`;

/** The token is in the fragment, which servers and referrers never see. */
export const confirmationPage = (config: Config, token: string): string =>
  `${publicUrl(config)}/confirm-enrollment#token=${token}`;

/** Where the link of a sign-in leads; the token is in the fragment, as that of a confirmation is. */
export const signInPage = (config: Config, token: string): string =>
  `${publicUrl(config)}/sign-in#token=${token}`;
