import { NO_ID, uuidOfHex } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import { endOfBlock, type FactTable } from './fits.store.ts';

/** Members whose ids are in a range, both ends included. */
export interface MemberBlock {
  readonly fromId: string;
  readonly toId: string;
}

/** The greatest id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Yields all members with facts in a table, in blocks that one statement can read; the facts of a member are
 * in one block.
 *
 * @param wanted.since - only later facts count
 * @param wanted.size - facts of a block, about
 * @param wanted.factsMax - after this many facts no further block begins
 */
export async function* memberBlocks(
  ctx: Context,
  table: FactTable,
  wanted: { readonly since: Date; readonly size: number; readonly factsMax: number },
): AsyncGenerator<MemberBlock> {
  let fromId: string | null = NO_ID;
  for (let facts = 0; fromId && facts < wanted.factsMax; facts += wanted.size) {
    const toId: string | null = await endOfBlock(ctx, table, { fromId, since: wanted.since }, wanted.size);
    yield { fromId, toId: toId ?? LAST_ID };
    fromId = toId && idAfter(toId);
  }
}

/** Reads in one transaction whose statements may take 25 seconds: for nightly jobs. */
export const withLongTimeout = <T>(ctx: Context, read: (tx: Context) => Promise<T>): Promise<T> =>
  ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, { statement: 25 });
    return read(tx);
  });

function idAfter(id: string): string {
  return uuidOfHex((BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0'));
}
