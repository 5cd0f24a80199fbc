import {
  isRefused,
  readCurrency,
  readMinor,
  readOption,
  readText,
  readWords,
  refuse,
  requireText,
} from '@loyalty/platform/imports/import-cells';
import { positionsOf } from '@loyalty/platform/imports/import-fields';
import type { Cells } from '@loyalty/platform/imports/import-layout';

/** A product as a file tells it; null leaves what is known already. */
export interface ProductRow {
  readonly externalId: string;
  readonly sku: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly priceMinor: string | null;
  readonly currency: string | null;
  /** Names from the root down. */
  readonly category: readonly string[] | null;
  readonly brand: string | null;
  readonly imageUrl: string | null;
  readonly status: 'ACTIVE' | 'ARCHIVED' | null;
}

const at = positionsOf('CATALOG');
const DEPTH_MAX = 10;
const NAME_LENGTH_MAX = 200;

/** Reads and checks one row; what is wrong is noted in its cells. */
export function readProduct(cells: Cells): ProductRow {
  const priceMinor = readMinor(cells, at.price);
  const currency = readCurrency(cells, at.currency);
  if (priceMinor !== null && currency === null && !isRefused(cells))
    refuse(cells, at.currency, 'is required where there is a price');
  requireText(cells, at.name, NAME_LENGTH_MAX);
  return {
    externalId: requireText(cells, at.external_id, NAME_LENGTH_MAX),
    sku: readText(cells, at.sku, 100),
    name: readWords(cells, at.name, NAME_LENGTH_MAX) ?? '',
    description: readWords(cells, at.description, 10_000),
    priceMinor,
    currency,
    category: readCategory(cells),
    brand: readWords(cells, at.brand, NAME_LENGTH_MAX),
    imageUrl: readUrl(cells),
    status: readOption(cells, at.status, ['ACTIVE', 'ARCHIVED']),
  };
}

/** `Clothing > Shirts`. */
function readCategory(cells: Cells): string[] | null {
  const text = readWords(cells, at.category, DEPTH_MAX * NAME_LENGTH_MAX);
  if (text === null) return null;
  const path = text
    .split('>')
    .map((name) => name.trim())
    .filter(Boolean);
  if (path.length > DEPTH_MAX || path.some((name) => name.length > NAME_LENGTH_MAX)) {
    refuse(cells, at.category, `must be at most ${DEPTH_MAX} names of ${NAME_LENGTH_MAX} characters`);
  }
  return path.length > 0 ? path : null;
}

function readUrl(cells: Cells): string | null {
  const text = readText(cells, at.image_url, 2_000);
  if (text === null) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text;
  refuse(cells, at.image_url, 'must be an http or https address');
  return null;
}
