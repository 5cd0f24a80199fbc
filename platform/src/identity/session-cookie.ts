import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.ts';

/** A cookie that keeps a session in a browser, out of reach of scripts. */
export interface SessionCookie {
  /** The token, where a page of our own origin sends the request; else null. */
  read(headers: IncomingHttpHeaders): string | null;
  /** Whether a browser sends one, to whomever; it may have ended. */
  isSent(headers: IncomingHttpHeaders): boolean;
  /** The headers with which an adapter in another process passes on what counts. */
  forwarded(headers: IncomingHttpHeaders): Record<string, string>;
  /** Whether a page of our own origin sends the request. */
  isOwnPage(headers: IncomingHttpHeaders): boolean;
  /** `Set-Cookie` that keeps a session until it expires. */
  keep(token: string, expiresAt: Date): string;
  /** `Set-Cookie` that deletes it. */
  readonly clear: string;
}

type Settings = Pick<Config, 'PUBLIC_URL' | 'isProduction'>;

/** The session of a member, for the pages of the programme. */
export const memberCookie = (config: Settings): SessionCookie => sessionCookie('loyalty-member', config);

const USER = 'loyalty-user';

/** The session of a user, for the back office. */
export const userCookie = (config: Settings): SessionCookie => sessionCookie(USER, config);

/** Whether a browser sends the session of a user, secure or not; it may have ended. */
export const sendsUserCookie = (headers: IncomingHttpHeaders): boolean =>
  [USER, `__Host-${USER}`].some((name) => cookieNamed(headers, name) !== null);

/**
 * Browsers accept a name with `__Host-` only with Secure, for the whole origin and for no subdomain. Over
 * plain HTTP, as on a developer's machine, there is neither.
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
 * Whether a page of our own origin sends the request. Browsers say so in `Sec-Fetch-Site`, which no page can
 * set; older ones send `Origin` with everything but plain reads.
 *
 * @param publicUrl - the address that users open; without one, the host that the request is sent to counts
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
