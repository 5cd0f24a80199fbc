import type { QueryResolvers } from '#generated/schema';
import { memberOrders } from './member-orders.service.ts';

export const Query = {
  _memberOrders: (_, { memberIds, since }, ctx) => memberOrders(ctx, memberIds, since),
} satisfies QueryResolvers;
