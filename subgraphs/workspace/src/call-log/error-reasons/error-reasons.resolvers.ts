import type { QueryResolvers } from '#generated/schema';
import { listErrorReasons } from './error-reasons.service.ts';

export const Query = {
  errorReasons: () => listErrorReasons(),
} satisfies QueryResolvers;
