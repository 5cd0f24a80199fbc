import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

export const campaignsWithSegment = (
  ctx: Context,
  segmentId: string,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  ctx.prisma.campaign.findMany({
    where: {
      status: { in: ['SCHEDULED', 'SENDING', 'PAUSED'] },
      OR: [{ includeIds: { has: segmentId } }, { excludeIds: { has: segmentId } }],
    },
    select: columns('id', 'name'),
    orderBy: { id: 'asc' },
  });
