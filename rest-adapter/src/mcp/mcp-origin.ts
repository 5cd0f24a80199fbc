import type { Config } from '@loyalty/platform/operations/config';
import { publicUrl } from '@loyalty/platform/outbound/public-url';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether scripts of an origin may call: a page of another site must not use what a browser can reach, such
 * as a server on the same machine. Programs send no origin.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'CORS_ORIGINS'>,
): boolean {
  if (origin === undefined) return true;
  if (config.CORS_ORIGINS.includes(origin) || !URL.canParse(origin))
    return config.CORS_ORIGINS.includes(origin);
  const own = new URL(publicUrl(config));
  const { hostname, origin: asked } = new URL(origin);
  return asked === own.origin || (LOOPBACK.includes(own.hostname) && LOOPBACK.includes(hostname));
}
