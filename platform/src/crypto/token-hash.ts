import { createHash } from 'node:crypto';

/**
 * Returns the hash of a one-time token, the only stored form. The token is so random that no salt or slow
 * hash is needed.
 */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
