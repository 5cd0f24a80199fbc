import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.ts';

/** A cookie with a session token that scripts cannot read. */
export interface SessionCookie {
  /** Returns the token if a page of our own origin sends the request, otherwise null. */
  read(headers: IncomingHttpHeaders): string | null;
  /** Returns whether the browser sends the cookie, from any page; the session may have ended. */
  isSent(headers: IncomingHttpHeaders): boolean;
  /** Returns the headers that a separate REST adapter must pass on for this cookie. */
  forwarded(headers: IncomingHttpHeaders): Record<string, string>;
  /** Returns whether a page of our own origin sends the request. */
  isOwnPage(headers: IncomingHttpHeaders): boolean;
  /** Returns a `Set-Cookie` header that stores a session until it expires. */
  keep(token: string, expiresAt: Date): string;
  /** `Set-Cookie` header that deletes the cookie. */
  readonly clear: string;
}

type Settings = Pick<Config, 'PUBLIC_URL' | 'isProduction'>;

/** Cookie with the session of a member, for the pages of the programme. */
export const memberCookie = (config: Settings): SessionCookie => sessionCookie('loyalty-member', config);

const USER = 'loyalty-user';

/** Cookie with the session of a user, for the back office. */
export const userCookie = (config: Settings): SessionCookie => sessionCookie(USER, config);

/** Returns whether the browser sends a user's cookie, with or without Secure; the session may have ended. */
export const sendsUserCookie = (headers: IncomingHttpHeaders): boolean =>
  [USER, `__Host-${USER}`].some((name) => cookieNamed(headers, name) !== null);

/**
 * Browsers accept a cookie name with `__Host-` only with Secure, for the whole origin, and not for
 * subdomains. Over plain HTTP, as on a developer's machine, neither prefix nor Secure is used.
 */
function sessionCookie(plainName: string, { PUBLIC_URL, isProduction }: Settings): SessionCookie {
  const isSecure = isProduction || (PUBLIC_URL?.startsWith('https:') ?? false);
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const read: SessionCookie['read'] = (headers) =>
    isSameOrigin(headers, PUBLIC_URL) ? cookieNamed(headers, name) : null;
  return {
    read,
    isSent: (headers) => cookieNamed(headers, name) !== null,
    forwarded(headers) {
      const token = read(headers);
      return token ? { cookie: `${name}=${token}`, 'sec-fetch-site': 'same-origin' } : {};
    },
    isOwnPage: (headers) => isSameOrigin(headers, PUBLIC_URL),
    keep: (token, expiresAt) => `${name}=${token}; Expires=${expiresAt.toUTCString()}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  };
}

const cookieNamed = ({ cookie = '' }: IncomingHttpHeaders, name: string): string | null =>
  cookie
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) || null;

/**
 * Returns whether a page of our own origin sends the request. Browsers send `Sec-Fetch-Site`, which no page
 * can set; older browsers send `Origin`, except with plain reads.
 *
 * @param publicUrl - the address that users open; without it, the host of the request is used
 */
function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (!origin) return false;
  return publicUrl
    ? origin === new URL(publicUrl).origin
    : origin === `http://${host}` || origin === `https://${host}`;
}
