import type { Context } from '@loyalty/platform/context';
import { askPeer } from '@loyalty/test/harness/peers';

type Data = Readonly<Record<string, unknown>>;

/** Sends an operation to the loyalty subgraph as the caller of the context. */
export const askLoyalty = (ctx: Context, query: string, variables: Data = {}): Promise<Data> =>
  askPeer(ctx, 'loyalty', query, variables);

/** Members per call. */
const BATCH = 100;
const UPSERT = `mutation ($input: [UpsertMemberInput!]!) {
  upsertMembers(input: $input) { results { member { id } } } }`;

/** Enrols members with the name Ada Byron and returns their ids. */
export async function enrolMembers(ctx: Context, emails: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < emails.length; first += BATCH) {
    const input = emails.slice(first, first + BATCH).map((email) => ({ email, fullName: 'Ada Byron' }));
    const { upsertMembers } = await askLoyalty(ctx, UPSERT, { input });
    const { results } = upsertMembers as { results: readonly { member: { id: string } }[] };
    ids.push(...results.map(({ member }) => member.id));
  }
  return ids;
}

let made = 0;

/** Enrols a member. */
export async function enrolMember(ctx: Context, email?: string): Promise<{ readonly id: string }> {
  made += 1;
  const [id] = await enrolMembers(ctx, [email ?? `member-${made}@example.com`]);
  return { id: id! };
}
