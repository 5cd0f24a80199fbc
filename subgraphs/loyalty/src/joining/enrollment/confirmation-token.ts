import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits for the link in a message, in URL-safe letters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** All that is stored of a token. It is random enough that no salt or slow hash is called for. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
