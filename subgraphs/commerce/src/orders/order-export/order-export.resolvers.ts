import { startExport } from '@loyalty/platform/exports/exports.service';
import type { MutationResolvers } from '#generated/schema';
import { exportedOrders } from './exported-orders.ts';

export const Mutation = {
  startOrderExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedOrders, { format, conditions: filter }),
} satisfies MutationResolvers;
