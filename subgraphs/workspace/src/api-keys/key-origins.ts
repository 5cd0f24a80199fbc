import { invalid } from '@loyalty/platform/errors';

const ORIGINS_MAX = 20;

/**
 * Origins of websites as browsers send them, each once.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the origin
 */
export function checkOrigins(field: string, origins: readonly string[]): string[] {
  if (origins.length > ORIGINS_MAX) throw invalid(field, `must be at most ${ORIGINS_MAX}`);
  const wrong = origins.findIndex((origin) => !isOrigin(origin));
  if (wrong >= 0) throw invalid(`${field}[${wrong}]`, 'must be an origin such as https://shop.example.com');
  return [...new Set(origins)];
}

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
