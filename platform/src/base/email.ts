import { z } from 'zod';
import { invalid } from './errors.ts';
import { inputRule } from './input-rules.ts';

/** RFC 5321, 4.5.3.1: octets at most. Addresses are ASCII, so characters are octets. */
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

/** Is the text, trimmed and in lower case, an e-mail address? */
export const isEmail = (text: string): boolean => address.safeParse(text).success;

/**
 * An e-mail address as it is stored, indexed and compared: trimmed, in lower case.
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
 * The blind-index context of every e-mail address of a workspace, so that packages can match without reading
 * it.
 */
export const EMAIL_INDEX = 'email';
