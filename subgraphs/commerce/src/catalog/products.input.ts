import { AppError, invalid } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import { between, listAtMost } from '@loyalty/platform/base/input-rules';
import { optionalText } from '../optional-text.ts';
import type { CheckedProduct, ProductStatus } from './products.store.ts';

/** A product as a client sends it. */
export interface ProductInput {
  readonly externalId: string;
  readonly name: string;
  readonly sku?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Minor units. */
  readonly priceMinor?: number | bigint | null | undefined;
  readonly currency?: string | null | undefined;
  readonly status?: ProductStatus | null | undefined;
  /** Names of the categories, from the root down. */
  readonly categoryPaths?: readonly (readonly string[])[] | null | undefined;
  /** The name of the brand. */
  readonly brand?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
}

const NAME_LENGTH_MAX = 100;
const PATHS_MAX = 10;
const DEPTH_MAX = 10;
const PRICE_MAX = 10n ** 15n;

/** A validated row, or the reason why it is invalid. */
type CheckedRow = { readonly row: CheckedProduct } | { readonly error: string };

/** Validates one row. An error message begins with the name of the field. */
export function checkProduct(input: ProductInput): CheckedRow {
  try {
    return { row: rowOf(input) };
  } catch (error) {
    if (error instanceof AppError) return { error: error.message };
    throw error;
  }
}

/** @throws AppError VALIDATION_FAILED */
function rowOf(input: ProductInput): CheckedProduct {
  const { priceMinor = null, currency = null } = input;
  if ((priceMinor === null) !== (currency === null))
    throw invalid('currency', 'must be given together with priceMinor');
  const price = priceMinor === null ? null : BigInt(priceMinor);
  if (price !== null && (price < 0n || price > PRICE_MAX)) throw invalid('priceMinor', between(0, PRICE_MAX));
  return {
    externalId: checkText('externalId', input.externalId, 200),
    name: checkText('name', input.name, 300),
    sku: optionalText('sku', input.sku, 100),
    description: optionalText('description', input.description, 5_000),
    priceMinor: price,
    currency,
    status: input.status ?? null,
    categoryPaths: checkPaths(input.categoryPaths ?? []),
    brand: optionalText('brand', input.brand, NAME_LENGTH_MAX),
    imageUrl: optionalText('imageUrl', input.imageUrl, 2_000),
  };
}

function checkPaths(paths: readonly (readonly string[])[]): string[][] {
  if (paths.length > PATHS_MAX) throw invalid('categoryPaths', listAtMost(PATHS_MAX, 'paths'));
  return paths.map((path) => {
    if (path.length < 1 || path.length > DEPTH_MAX)
      throw invalid('categoryPaths', `must have paths of 1 to ${DEPTH_MAX} names`);
    return path.map((name) => checkText('categoryPaths', name, NAME_LENGTH_MAX));
  });
}
