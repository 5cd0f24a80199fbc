import type { Context } from '@loyalty/platform/context';

const statusOf = (place: number): string => `p${place}: couponPool(id: $id${place}) { status }`;

/** The status of each pool that exists, by its id. @throws AppError PEER_UNAVAILABLE (503) */
export async function findPoolStatuses(
  ctx: Context,
  poolIds: readonly string[],
): Promise<ReadonlyMap<string, 'ACTIVE' | 'PAUSED' | 'ARCHIVED'>> {
  const ids = [...new Set(poolIds)];
  if (ids.length === 0) return new Map();
  const declared = ids.map((_, place) => `$id${place}: ID!`).join(', ');
  const question = {
    query: `query PoolStatuses(${declared}) { ${ids.map((_, place) => statusOf(place)).join(' ')} }`,
    variables: Object.fromEntries(ids.map((id, place) => [`id${place}`, id])),
  };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', question);
  const found = ids.flatMap((id, place) => {
    const pool = answer[`p${place}`] as { readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED' } | null;
    return pool ? [[id, pool.status] as const] : [];
  });
  return new Map(found);
}
