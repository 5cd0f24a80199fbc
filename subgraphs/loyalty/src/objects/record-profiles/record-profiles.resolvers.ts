import type { QueryResolvers } from '#generated/schema';
import { recordProfiles } from './record-profiles.service.ts';

export const Query = {
  _recordProfiles: (_, wanted, ctx) => recordProfiles(ctx, wanted),
} satisfies QueryResolvers;
