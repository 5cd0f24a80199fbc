import type { Context } from '@loyalty/platform/context';

/** A custom field of members, or a field of a custom object. */
export interface CatalogField {
  readonly key: string;
  readonly label: string;
  readonly type:
    | 'TEXT'
    | 'NUMBER'
    | 'DATE'
    | 'DATETIME'
    | 'BOOLEAN'
    | 'ENUM'
    | 'LIST'
    | 'MEMBER_REF'
    | 'RECORD_REF'
    | 'URL'
    | 'EMAIL';
  readonly options: readonly string[];
}

export interface CatalogName {
  readonly id: string;
  readonly name: string;
}

/** What the workspace has defined that conditions of segments may name. */
export interface ConditionCatalog {
  /** Without archived ones. */
  readonly customFields: readonly CatalogField[];
  /** Published ones. */
  readonly objectTypes: readonly {
    readonly type: string;
    readonly label: string;
    readonly fields: readonly CatalogField[];
  }[];
  /** By rank. */
  readonly tiers: readonly CatalogName[];
  /** Coupon pools, without archived ones. */
  readonly pools: readonly CatalogName[];
}

/** @throws AppError PEER_UNAVAILABLE (503) */
export async function findConditionCatalog(ctx: Context): Promise<ConditionCatalog> {
  const question = { query: 'query ConditionCatalog { _conditionCatalog }', variables: {} };
  return (await ctx.services.peers.ask(ctx, 'loyalty', question))['_conditionCatalog'] as ConditionCatalog;
}
