import { ECDH } from 'node:crypto';
import { invalid } from '@loyalty/platform/errors';

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const UNCOMPRESSED = 4;

/** The keys of a browser that takes notifications, base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * Refuses keys that no message can be encrypted with.
 *
 * @throws AppError VALIDATION_FAILED naming keys.p256dh or keys.auth
 */
export function checkBrowserKeys({ p256dh, auth }: BrowserKeys): BrowserKeys {
  const point = bytesOf(p256dh);
  if (point?.length !== POINT_BYTES || point[0] !== UNCOMPRESSED || !isOnCurve(point))
    throw invalid('keys.p256dh', 'must be an uncompressed point of P-256: 65 bytes in base64url');
  if (bytesOf(auth)?.length !== AUTH_BYTES) throw invalid('keys.auth', 'must be 16 bytes in base64url');
  return { p256dh, auth };
}

/** Null for text that is no base64url without padding. */
function bytesOf(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
