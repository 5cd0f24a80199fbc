import { inputRule } from '@loyalty/platform/base/input-rules';
import {
  type Cells,
  isRefused,
  readCurrency,
  readFreeText,
  readMinor,
  readOption,
  readText,
  refuse,
  requireText,
} from '@loyalty/platform/imports/import-cells';
import { field, fieldSet, labelled, positionsIn, required } from '@loyalty/platform/imports/import-fields';

/** A product of a file. A field that is null keeps the stored value. */
export interface ImportedProduct {
  readonly externalId: string;
  readonly sku: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly priceMinor: string | null;
  readonly currency: string | null;
  /** Names of the categories, from the root down. */
  readonly category: readonly string[] | null;
  readonly brand: string | null;
  readonly imageUrl: string | null;
  readonly status: 'ACTIVE' | 'ARCHIVED' | null;
}

/** The fields of a product in a file. The values of a row are in this order. */
const fields = [
  labelled(required('external_id', 'product_id', 'external_product_id'), 'Your id of the product', 'P-1024'),
  labelled(field('sku'), 'SKU', 'TEA-1'),
  labelled(required('name', 'title', 'product_name'), 'Name', 'Green tea'),
  labelled(field('description'), 'Description', 'Loose leaves, 100 g'),
  labelled(field('price', 'price_minor'), 'Price in minor units', '500'),
  labelled(field('currency', 'currency_code'), 'Currency', 'EUR'),
  labelled(field('category', 'category_path', 'product_type'), 'Category', 'Drinks > Tea'),
  labelled(field('brand', 'vendor'), 'Brand', 'Leaf'),
  labelled(field('image_url', 'image'), 'Address of a picture', 'https://example.com/tea.png'),
  labelled(field('status'), 'Status', 'active'),
];
export const productFields = fieldSet(fields);
const at = positionsIn(fields);
const DEPTH_MAX = 10;
const NAME_LENGTH_MAX = 200;
const categoryPath = inputRule(
  'CATEGORY_PATH',
  `must be at most ${DEPTH_MAX} names of ${NAME_LENGTH_MAX} characters`,
  { max: DEPTH_MAX, length: NAME_LENGTH_MAX },
);

/** Reads and validates one row. Faults are recorded in its cells. */
export function readProduct(cells: Cells): ImportedProduct {
  const priceMinor = readMinor(cells, at.price);
  const currency = readCurrency(cells, at.currency);
  if (priceMinor !== null && currency === null && !isRefused(cells))
    refuse(cells, at.currency, inputRule('REQUIRED', 'is required where there is a price'));
  requireText(cells, at.name, NAME_LENGTH_MAX);
  return {
    externalId: requireText(cells, at.external_id, NAME_LENGTH_MAX),
    sku: readText(cells, at.sku, 100),
    name: readFreeText(cells, at.name, NAME_LENGTH_MAX) ?? '',
    description: readFreeText(cells, at.description, 10_000),
    priceMinor,
    currency,
    category: readCategory(cells),
    brand: readFreeText(cells, at.brand, NAME_LENGTH_MAX),
    imageUrl: readUrl(cells),
    status: readOption(cells, at.status, ['ACTIVE', 'ARCHIVED']),
  };
}

/** Reads a path such as `Clothing > Shirts`. */
function readCategory(cells: Cells): string[] | null {
  const text = readFreeText(cells, at.category, DEPTH_MAX * NAME_LENGTH_MAX);
  if (text === null) return null;
  const path = text
    .split('>')
    .map((name) => name.trim())
    .filter(Boolean);
  if (path.length > DEPTH_MAX || path.some((name) => name.length > NAME_LENGTH_MAX)) {
    refuse(cells, at.category, categoryPath);
  }
  return path.length > 0 ? path : null;
}

function readUrl(cells: Cells): string | null {
  const text = readText(cells, at.image_url, 2_000);
  if (text === null) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return text;
  refuse(cells, at.image_url, inputRule('WEB_ADDRESS', 'must be an http or https address'));
  return null;
}
