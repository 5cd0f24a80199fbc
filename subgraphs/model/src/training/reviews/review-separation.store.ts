import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

export const isSeparated = async (ctx: Context): Promise<boolean> =>
  (await ctx.prisma.reviewSeparation.findFirst({ where: {}, select: columns('createdAt') })) !== null;

/** False where nothing changed. */
export async function changeSeparation(tx: Context, isRequired: boolean): Promise<boolean> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  const { count } = isRequired
    ? await tx.prisma.reviewSeparation.createMany({ data: [made], skipDuplicates: true })
    : await tx.prisma.reviewSeparation.deleteMany({ where: {} });
  return count > 0;
}
