import type { MutationResolvers } from '#generated/schema';
import { publishVersion, unpublishVersion } from './publication.service.ts';

export const Mutation = {
  publishModelVersion: (_, name, ctx) => publishVersion(ctx, name),
  unpublishModelVersion: (_, name, ctx) => unpublishVersion(ctx, name),
} satisfies MutationResolvers;
