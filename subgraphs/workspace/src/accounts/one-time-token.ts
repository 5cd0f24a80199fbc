import { randomBytes } from 'node:crypto';
import type { Config } from '@loyalty/platform/config/config';
import { publicUrl } from '@loyalty/platform/outbound/public-url';

/** Returns 256 random bits, in URL-safe letters, for a link in a message. */
export const newOneTimeToken = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the address of a page of `web/src/pages`; the token is in the fragment, which servers and referrers
 * never see.
 */
export function linkTo(
  config: Config,
  page: 'reset-password' | 'invitation' | 'confirm-email',
  token: string,
): string {
  return `${publicUrl(config)}/${page}#token=${token}`;
}
