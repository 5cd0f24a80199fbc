import { invalid } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';

/** A tag as the client sent it, with the key under which it is stored. */
export interface TagInput {
  readonly key: string;
  /** Label of the tag if this is its first use. */
  readonly label: string;
}

const TAGS_PER_CALL_MAX = 20;
const TAG_LENGTH_MAX = 64;
const TAG_KEY = /^[\p{L}\p{N}][\p{L}\p{N}_.:-]*$/u;

/** `VIP customers` → `vip_customers`: both spellings are one tag. */
export const tagKeyOf = (text: string): string =>
  text.trim().normalize('NFC').toLowerCase().replaceAll(/\s+/g, '_');

/**
 * Returns the tags of one call, each once.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field
 */
export function checkTagKeys(field: string, texts: readonly string[]): TagInput[] {
  if (texts.length > TAGS_PER_CALL_MAX) throw invalid(field, `must be at most ${TAGS_PER_CALL_MAX} tags`);
  const words = texts.map((text) => {
    const label = checkText(field, text, TAG_LENGTH_MAX);
    const key = tagKeyOf(label);
    if (!TAG_KEY.test(key)) {
      throw invalid(field, 'must be letters, digits, spaces and _ . : -, beginning with a letter or a digit');
    }
    return { key, label };
  });
  return [...new Map(words.map((word) => [word.key, word])).values()];
}
