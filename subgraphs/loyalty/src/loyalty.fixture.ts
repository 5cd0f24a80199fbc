import type { Context } from '@loyalty/platform/context';
import { executeSubgraph } from '@loyalty/platform/graph/subgraph';
import { type CreateMember, createMember } from './member-details/member-details.service.ts';
import { loyalty } from './subgraph.ts';
import { createTier } from './tiers/tiers.service.ts';

let made = 0;

/** Initial data of tests, created through the services. */
export const given = {
  member: (ctx: Context, details: Partial<CreateMember> = {}) => {
    made += 1;
    return createMember(ctx, { email: `member-${made}@example.com`, ...details });
  },
  /** Creates tiers by name and threshold, ranked in the order given. */
  tiers: async (ctx: Context, thresholds: Readonly<Record<string, number>>) => {
    const ids: Record<string, string> = {};
    for (const [rank, [name, upgradeThreshold]] of Object.entries(thresholds).entries()) {
      ids[name] = (await createTier(ctx, { name, rank: rank + 1, upgradeThreshold })).id;
    }
    return ids;
  },
};

/** Runs an operation and returns its data; throws the first error with its reason code. */
export async function ask(
  ctx: Context,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, errors } = await executeSubgraph(loyalty, { query, variables }, ctx);
  if (errors?.[0])
    throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions['reason'] });
  return JSON.parse(JSON.stringify(data)) as Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
type Answer = any;
