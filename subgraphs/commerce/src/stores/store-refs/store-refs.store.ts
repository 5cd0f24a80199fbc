import type { Context } from '@loyalty/platform/context';
import type { StoreRef } from '#generated/schema';

export const findStoreRefs = (ctx: Context, ids: readonly string[]): Promise<StoreRef[]> =>
  ctx.sql.query<StoreRef>(
    `SELECT id, status, time_zone
       FROM commerce.stores WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
