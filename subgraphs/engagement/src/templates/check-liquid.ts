import { AppError } from '@loyalty/platform/base/errors';
import { type LiquidKind, parseLiquid, parseMessage, placeOf, type UsedName, usedNames } from './liquid.ts';

/** Names that all templates may use. */
const NAMES = new Set(['member', 'data', 'unsubscribe_url', 'preferences_url']);

/** Links that let a recipient decline more messages. */
const LINKS = ['unsubscribe_url', 'preferences_url'];

/**
 * Refuses a template that cannot be parsed, or has an unknown tag or filter.
 *
 * @returns the names of the variables that it uses
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

/** Returns the names that are not built in: they may be custom fields. */
export const otherNames = (used: readonly UsedName[]): UsedName[] =>
  used.filter(({ name }) => !NAMES.has(name));

/** @throws AppError TEMPLATE_INVALID (400) for the first name that is not a custom field */
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

/** Whether there is a link by which a recipient can decline more messages. */
export const hasDecliningLink = (used: readonly UsedName[]): boolean =>
  used.some(({ name }) => LINKS.includes(name));

/**
 * The error of an invalid template. The message is the field's path, then `rule`, then the place.
 *
 * @param place - from 1; an error of MJML has no column
 */
export function templateInvalid(
  field: string,
  rule: string,
  place?: { readonly line: number; readonly column?: number },
): AppError {
  const column = place?.column === undefined ? '' : `, column ${place.column}`;
  const where = place ? `, at line ${place.line}${column}` : '';
  return new AppError('BAD_USER_INPUT', 'TEMPLATE_INVALID', `${field} ${rule}${where}.`, {
    field,
    ...(place && { line: place.line }),
    ...(place?.column !== undefined && { column: place.column }),
  });
}
