import type { QueryResolvers } from '#generated/schema';
import { previewImport } from './import-preview.service.ts';

export const Query = {
  _importPreview: (_, { id, rows }, ctx) => previewImport(ctx, id, rows),
} satisfies QueryResolvers;
