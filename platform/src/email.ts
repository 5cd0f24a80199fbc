import { z } from 'zod';
import { invalid } from './errors.ts';

const address = z.email().max(254);

/**
 * An e-mail address as it is stored, indexed and compared: trimmed, in lower case.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkEmail(field: string, text: string): string {
  const normal = text.trim().toLowerCase();
  if (!address.safeParse(normal).success)
    throw invalid(field, 'must be an e-mail address such as ada@example.com');
  return normal;
}

/**
 * The blind-index context of every e-mail address of a workspace, so that packages can match without reading
 * it.
 */
export const EMAIL_INDEX = 'email';
