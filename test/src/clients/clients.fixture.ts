import type { Stack } from '../harness/stack.ts';
import { sampleText } from './sample-operations.ts';

/** The operations that each GraphQL client runs: queries, a mutation and a subscription from the samples. */
export const texts = {
  page: sampleText('MemberPage'),
  card: sampleText('MemberCard'),
  award: sampleText('AwardPoints'),
  feed: sampleText('MemberFeed'),
};

export const UNKNOWN_ID = '019cadfd-8900-713f-9842-000000000000';

interface MemberEdge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly name: string };
}

export interface PageData {
  readonly members: {
    readonly edges: readonly MemberEdge[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly totalCount: number;
  };
}

export interface CardData {
  readonly member: { readonly id: string; readonly pointsBalance: number } | null;
}

/** Makes a workspace with three members, newest first, and a key for it. */
export async function givenMembers(stack: Stack): Promise<{ authorization: string; ids: string[] }> {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token);
  const ids: string[] = [];
  for (const name of ['Ada', 'Bo', 'Cy']) {
    const body = { email: `${name.toLowerCase()}@example.com`, fullName: name };
    ids.unshift((await stack.rest('POST', '/api/v2/members', { as: secret, body })).body.id);
  }
  return { authorization: `Bearer ${secret}`, ids };
}
