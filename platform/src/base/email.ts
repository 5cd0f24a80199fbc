import { z } from 'zod';
import { invalid } from './errors.ts';
import { inputRule } from './input-rules.ts';

/** Maximum octets by RFC 5321, 4.5.3.1. Addresses are ASCII, so characters are octets. */
const LOCAL_PART_MAX = 64;
const DOMAIN_MAX = 255;
const ADDRESS_MAX = 254;

const address = z
  .email()
  .max(ADDRESS_MAX)
  .refine((text) => {
    const at = text.lastIndexOf('@');
    return at <= LOCAL_PART_MAX && text.length - at - 1 <= DOMAIN_MAX;
  });

/** Returns whether the text, trimmed and in lower case, is an e-mail address. */
export const isEmail = (text: string): boolean => address.safeParse(text).success;

/**
 * Returns an e-mail address as it is stored, indexed and compared: trimmed, in lower case.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkEmail(field: string, text: string): string {
  const normal = text.trim().toLowerCase();
  if (!isEmail(normal))
    throw invalid(field, inputRule('EMAIL_ADDRESS', 'must be an e-mail address such as ada@example.com'));
  return normal;
}

/**
 * Context of the blind index of e-mail addresses. All packages share it, so that they can match addresses
 * without decrypting them.
 */
export const EMAIL_INDEX = 'email';
