import type { Context } from '@loyalty/platform/context';
import { anyRecord, countRecord, optionHeld, recordCountByType } from './record-counts.store.ts';

export { countRecord };

/** Records of a type in the caller's mode, deleted ones left out; exact. */
export const recordCount = async (ctx: Context, objectTypeId: string): Promise<number> =>
  (await ctx.load(recordCountByType, objectTypeId)) ?? 0;

/** Was a record of the type ever written, live or test? Deleted ones count: they can be restored. */
export const hasRecords = (ctx: Context, objectTypeId: string): Promise<boolean> =>
  anyRecord(ctx, objectTypeId);

/** The first of the options that any record has in the field, live or test; null when none does. */
export const optionInUse = (
  ctx: Context,
  objectTypeId: string,
  key: string,
  options: readonly string[],
): Promise<string | null> =>
  options.length > 0 ? optionHeld(ctx, objectTypeId, key, options) : Promise.resolve(null);
