import type { ModelVersionResolvers } from '#generated/schema';
import { checkOf } from './staleness.service.ts';

export const ModelVersion = {
  check: ({ id }, _, ctx) => checkOf(ctx, id),
} satisfies ModelVersionResolvers;
