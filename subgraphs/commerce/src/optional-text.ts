import { checkText } from '@loyalty/platform/base/input';

/**
 * Text as it may be stored, in JSON columns, too; null where none, or only space, was given.
 *
 * @throws AppError VALIDATION_FAILED naming the field
 */
export const optionalText = (
  field: string,
  text: string | null | undefined,
  lengthMax: number,
): string | null => (text?.trim() ? checkText(field, text.toWellFormed(), lengthMax) : null);
