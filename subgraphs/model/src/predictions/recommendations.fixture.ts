import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { daysAgo, memberId, orders } from '../facts/facts.fixture.ts';
import { csv, eventHeader, imported } from '../imports/data-imports.fixture.ts';

/** Returns the time this many days before the test's now. */
export const now = (ctx: Context, daysBefore = 0) => {
  const ms = ctx.clock.now().getTime() - daysBefore * DAY_MS;
  return { ms, day: Math.floor(ms / DAY_MS) };
};

/** Creates ten members who buy bread and butter; six of them buy tea, four coffee and sugar. */
export async function shop(ctx: Context): Promise<void> {
  const at = daysAgo(ctx, 20);
  await orders(
    ctx,
    Array.from({ length: 10 }, (_, n) => ({
      ...{ memberId: memberId(), at },
      items: ['bread', 'butter', ...(n < 6 ? ['tea'] : ['coffee', 'sugar'])],
    })),
  );
}

/** Imports a file of this many purchase events of a member, each of another item. */
export const importPurchases = (ctx: Context, member: string, count: number, prefix: string) =>
  imported(
    ctx,
    csv(
      'EVENTS',
      eventHeader,
      ...Array.from({ length: count }, (_, at) => {
        const day = String((at % 28) + 1).padStart(2, '0');
        return `${prefix}${at},${member},purchase,2026-02-${day}T10:00:00Z,${prefix}-${at},`;
      }),
    ),
  );
