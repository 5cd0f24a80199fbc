import { createHash } from 'node:crypto';
import type { SplitBranch, SplitNode } from './journey-definition.ts';

/** 48 bits of a hash are enough for weights of at most 1,000 in sum. */
const HASH_BYTES = 6;

/** The branch of a split that a member takes: always the same one of the same journey and node. */
export function branchOf(journeyId: string, { id, branches }: SplitNode, memberId: string): SplitBranch {
  const hash = createHash('sha256').update(`${journeyId}:${id}:${memberId}`).digest();
  const sum = branches.reduce((total, { weight }) => total + weight, 0);
  let place = (hash.readUIntBE(0, HASH_BYTES) / 2 ** (8 * HASH_BYTES)) * sum;
  for (const branch of branches) {
    place -= branch.weight;
    if (place < 0) return branch;
  }
  return branches.at(-1)!;
}
