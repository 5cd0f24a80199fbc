import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '@loyalty/platform/operations/config';
import { publicUrl } from '@loyalty/platform/outbound/public-url';

/** 256 random bits for a link in a message, in URL-safe letters. */
export const newOneTimeToken = (): string => randomBytes(32).toString('base64url');

/** All that is stored of a token. It is random enough that no salt or slow hash is called for. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A page of `web/src/pages`; the token is in the fragment, which servers and referrers never see. */
export function linkTo(
  config: Config,
  page: 'reset-password' | 'invitation' | 'confirm-email',
  token: string,
): string {
  return `${publicUrl(config)}/${page}#token=${token}`;
}
