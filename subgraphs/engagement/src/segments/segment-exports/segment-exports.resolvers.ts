import type { QueryResolvers } from '#generated/schema';
import { exportSegment } from './segment-exports.service.ts';

export const Query = {
  segmentExport: (_, { id, after }, ctx) => exportSegment(ctx, id, after ?? null),
} satisfies QueryResolvers;
