import { checkText } from '@loyalty/platform/base/input';

/**
 * Validates optional text, so that text and JSON columns accept it. Returns null for absent or blank text.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export const optionalText = (
  field: string,
  text: string | null | undefined,
  lengthMax: number,
): string | null => (text?.trim() ? checkText(field, text.toWellFormed(), lengthMax) : null);
