import type { Context } from '@loyalty/platform/context';

/** What segments know of a record of a custom object. */
export interface RecordProfile {
  readonly id: string;
  /** Machine name of the object type. */
  readonly type: string;
  /** Members whom fields of the record name. */
  readonly memberIds: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly isDeleted: boolean;
}

const RECORDS = `query RecordProfiles($ids: [ID!]!, $memberIds: [ID!]!) {
  _recordProfiles(ids: $ids, memberIds: $memberIds)
}`;

/**
 * Records by id, deleted ones too, and those that name one of the members; at most 1,000 of each.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findRecordProfiles(
  ctx: Context,
  wanted: { readonly ids: readonly string[]; readonly memberIds: readonly string[] },
): Promise<readonly RecordProfile[]> {
  const question = { query: RECORDS, variables: wanted };
  return (await ctx.services.peers.ask(ctx, 'loyalty', question))['_recordProfiles'] as RecordProfile[];
}
