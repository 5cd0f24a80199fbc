import { checkTagKeys } from './tag-keys.ts';

/**
 * Checks the name of a tag that is added or removed later.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field
 */
export function checkTag(field: string, text: string): void {
  checkTagKeys(field, [text]);
}
