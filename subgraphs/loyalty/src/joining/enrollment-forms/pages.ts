import type { Config } from '@loyalty/platform/operations/config';

const baseOf = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`).replace(/\/+$/, '');

/** The public page of a form, with an ambassador's code filled in where there is one. */
export const formPage = (config: Config, formToken: string, code?: string): string =>
  `${baseOf(config)}/enrol/${formToken}${code ? `?ref=${code}` : ''}`;

/** Where an ambassador's code leads while the workspace has no open form. */
export const codePage = (config: Config, code: string): string => `${baseOf(config)}/enrol?ref=${code}`;

/** The token is in the fragment, which servers and referrers never see. */
export const confirmationPage = (config: Config, token: string): string =>
  `${baseOf(config)}/confirm-enrollment#token=${token}`;
