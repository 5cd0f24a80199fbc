import { invalid } from '@loyalty/platform/errors';
import { gathered } from '@loyalty/platform/values/gathered';
import { atMost, inputRule } from '@loyalty/platform/values/input-rules';

const ORIGINS_MAX = 20;

/**
 * Origins of websites as browsers send them, each once.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the origin
 */
export function checkOrigins(field: string, origins: readonly string[]): string[] {
  if (origins.length > ORIGINS_MAX) throw invalid(field, atMost(ORIGINS_MAX));
  gathered((check) => {
    for (const [index, origin] of origins.entries()) check(() => checkOrigin(`${field}[${index}]`, origin));
  });
  return [...new Set(origins)];
}

function checkOrigin(field: string, origin: string): void {
  if (!isOrigin(origin))
    throw invalid(field, inputRule('WEB_ADDRESS', 'must be an origin such as https://shop.example.com'));
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
