import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText, itemRule } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { assertPublicUrl } from '@loyalty/platform/outbound/http-client';
import { catalogByKey } from '../events/catalog-events.ts';

const URL_LENGTH_MAX = 2_000;
const DESCRIPTION_LENGTH_MAX = 500;

/**
 * Validates the URL of an endpoint. The resolved address is checked when a request is sent.
 *
 * @param allow - `host:port` of allowed private addresses (OUTBOUND_ALLOW)
 * @throws AppError VALIDATION_FAILED (400) naming input.url
 */
export function checkUrl(url: string, allow: readonly string[]): string {
  const trimmed = checkText('input.url', url, URL_LENGTH_MAX);
  if (/\s/.test(trimmed)) throw invalid('input.url', 'must not contain spaces');
  try {
    assertPublicUrl(trimmed, allow);
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    if (code !== 'OUTBOUND_REFUSED') throw error;
    throw invalid('input.url', `is refused. ${message.replace(/\.$/, '')}`);
  }
  return trimmed;
}

/**
 * Validates a description. Blank text becomes null. @throws AppError VALIDATION_FAILED (400) naming
 * input.description
 */
export const checkDescription = (description: string): string | null =>
  description.trim() === '' ? null : checkText('input.description', description, DESCRIPTION_LENGTH_MAX);

/**
 * Validates keys of the catalog and removes duplicates.
 *
 * @throws AppError VALIDATION_FAILED, EVENT_TYPE_UNKNOWN (400) naming the element, such as eventTypes[1]
 */
export function checkEventTypes(field: string, eventTypes: readonly string[]): string[] {
  if (eventTypes.length === 0) throw invalid(field, inputRule('REQUIRED', 'must have at least one event'));
  gathered((check) => {
    for (const [index, key] of eventTypes.entries()) check(() => checkEventType(`${field}[${index}]`, key));
  });
  return [...new Set(eventTypes)];
}

function checkEventType(field: string, key: string): void {
  if (catalogByKey.has(key)) return;
  const rule = itemRule(key, 'is not an event of the catalog (GET /api/v2/events/catalog)');
  throw invalid(field, rule, 'EVENT_TYPE_UNKNOWN');
}
