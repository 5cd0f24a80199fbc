import { connection } from '@loyalty/platform/database/pages';
import type { CaptureResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  captureEmail,
  createCapture,
  findCapture,
  listCaptures,
  memberOfCapture,
} from './captures.service.ts';

export const Query = {
  capture: (_, { id }, ctx) => findCapture(ctx, id),
  captures: async (_, args, ctx) => connection(await listCaptures(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createCapture: (_, { input }, ctx) => createCapture(ctx, input),
} satisfies MutationResolvers;

export const Capture = {
  __resolveReference: ({ id }, ctx) => findCapture(ctx, id),
  email: (capture, _, ctx) => captureEmail(ctx, capture),
  store: ({ storeId }) => (storeId ? { id: storeId } : null),
  member: ({ id }, _, ctx) => memberOfCapture(ctx, id),
} satisfies CaptureResolvers;
