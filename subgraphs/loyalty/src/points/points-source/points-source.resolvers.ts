import type { PointsTransactionResolvers } from '#generated/schema';
import { sourceOf } from './points-source.service.ts';

export const PointsTransaction = {
  source: ({ source }, _, ctx) => sourceOf(ctx, source),
} satisfies PointsTransactionResolvers;
