import type { QueryResolvers } from '#generated/schema';
import { memberProfiles, memberProfilesPage } from './member-profiles.service.ts';

export const Query = {
  _memberProfiles: (_, wanted, ctx) => memberProfiles(ctx, wanted),
  _memberProfilesPage: (_, wanted, ctx) => memberProfilesPage(ctx, wanted),
} satisfies QueryResolvers;
