import type { Context } from '@loyalty/platform/context';
import type { RecordProfile } from '#generated/schema';
import { findRecordRows } from './record-profiles.store.ts';

/** What segments know of records, by their ids and by members whom they name. */
export const recordProfiles = (
  ctx: Context,
  wanted: { readonly ids: readonly string[]; readonly memberIds: readonly string[] },
): Promise<RecordProfile[]> => findRecordRows(ctx, wanted);
