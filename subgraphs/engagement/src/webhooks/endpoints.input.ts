import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { checkText, itemRule } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { assertPublicUrl } from '@loyalty/platform/outbound/http-client';
import { catalogByKey } from '../events/catalog-events.ts';

const URL_LENGTH_MAX = 2_000;
const DESCRIPTION_LENGTH_MAX = 500;

/**
 * The address as it may be stored. What its name resolves to is checked when something is sent.
 *
 * @param allow - `host:port` that are reachable though they are not public (OUTBOUND_ALLOW)
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

/** Null removes it. @throws AppError VALIDATION_FAILED (400) naming input.description */
export const checkDescription = (description: string): string | null =>
  description.trim() === '' ? null : checkText('input.description', description, DESCRIPTION_LENGTH_MAX);

/**
 * Keys of the catalog, each once.
 *
 * @throws AppError VALIDATION_FAILED, EVENT_TYPE_UNKNOWN (400) naming the place, such as eventTypes[1]
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
