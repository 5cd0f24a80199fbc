import { type LiquidKind, parseLiquid, parseMessage, placeOf, type UsedName, usedNames } from './liquid.ts';
import { templateInvalid } from './template-invalid.ts';

/** Names that every template may use. */
const NAMES = new Set(['member', 'data', 'unsubscribe_url', 'preferences_url']);

/** Links that let a recipient decline more messages. */
const LINKS = ['unsubscribe_url', 'preferences_url'];

/**
 * Refuses a template that cannot be read, or has a tag or filter that does not exist.
 *
 * @returns the names that it expects to be given
 * @throws AppError TEMPLATE_INVALID (400) naming the field and the place
 */
export function checkLiquid(field: string, text: string, kind: LiquidKind = 'text'): UsedName[] {
  try {
    parseLiquid(kind, text);
    return usedNames(text);
  } catch (error) {
    throw templateInvalid(field, `is no valid Liquid template: ${parseMessage(error)}`, placeOf(error));
  }
}

/** Names that are not those of every template: they may be custom fields. */
export const otherNames = (used: readonly UsedName[]): UsedName[] =>
  used.filter(({ name }) => !NAMES.has(name));

/** @throws AppError TEMPLATE_INVALID (400) for the first name that is no custom field */
export function refuseUnknown(
  field: string,
  used: readonly UsedName[],
  customFields: ReadonlySet<string>,
): void {
  const unknown = otherNames(used).find(({ name }) => !customFields.has(name));
  if (!unknown) return;
  const allowed = 'use member, data, unsubscribe_url, preferences_url or the key of a custom field';
  throw templateInvalid(field, `uses the unknown variable ${unknown.name}: ${allowed}`, unknown);
}

/** Does it have a link by which a recipient can decline more messages? */
export const hasDecliningLink = (used: readonly UsedName[]): boolean =>
  used.some(({ name }) => LINKS.includes(name));
