import type { Context } from '@loyalty/platform/context';
import type { StoreStatus } from '../stores/stores.store.ts';

/** What other subgraphs may know of a store. */
export interface StoreRef {
  readonly id: string;
  readonly status: StoreStatus;
  /** IANA name; null if the store uses the workspace's. */
  readonly timeZone: string | null;
}

export const findStoreRefs = (ctx: Context, ids: readonly string[]): Promise<StoreRef[]> =>
  ctx.sql.query<StoreRef>(
    `SELECT id, status, time_zone AS "timeZone"
       FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
