import type { IncomingHttpHeaders } from 'node:http';
import { unauthenticated } from '@loyalty/platform/base/errors';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { PresentedCredentials } from '../admission/authenticate.ts';

const NAMES = [
  'authorization',
  'x-api-key',
  'x-loyalty-mode',
  'x-loyalty-workspace',
  'x-loyalty-session',
] as const;
type Named = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Returns the credentials of a client: from `connectionParams`, with the names of the HTTP headers in any
 * case, or from the headers of the upgrade if the client can set them.
 *
 * @throws AppError CREDENTIAL_INVALID (401) for values that are not text
 */
export function presentedCredentials(
  params: Readonly<Record<string, unknown>> | undefined,
  headers: IncomingHttpHeaders,
  userCookie: SessionCookie,
): PresentedCredentials {
  const found: Named = {};
  for (const [key, value] of Object.entries(params ?? {})) {
    const name = NAMES.find((known) => known === key.toLowerCase());
    if (!name || value == null) continue;
    if (typeof value !== 'string') {
      throw unauthenticated('CREDENTIAL_INVALID', `Send ${key} in connectionParams as text.`);
    }
    found[name] = value;
  }
  const isInParams = found.authorization !== undefined || found['x-api-key'] !== undefined;
  return isInParams ? namedIn(found) : credentialsOf({ ...headers, ...found }, userCookie);
}

/**
 * Returns the credentials in the headers of a request. The cookie of the back office is only used if a page
 * of our own origin requests this in a header: browsers add a cookie to requests of all pages, but pages of
 * other sites cannot send that header or claim our origin.
 */
export function credentialsOf(headers: IncomingHttpHeaders, cookie: SessionCookie): PresentedCredentials {
  const given = namedIn(headers as Named);
  const isGiven = given.authorization !== undefined || given.apiKey !== undefined;
  if (isGiven || headers['x-loyalty-session'] !== 'cookie') return given;
  const token = cookie.read(headers);
  return token ? { ...given, authorization: `Bearer ${token}` } : given;
}

const namedIn = (named: Named): PresentedCredentials => ({
  authorization: named.authorization,
  apiKey: named['x-api-key'],
  mode: named['x-loyalty-mode'],
  workspace: named['x-loyalty-workspace'],
});
