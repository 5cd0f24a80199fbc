import autocannon from 'autocannon';
import type { BenchProduct } from '../product.ts';

const CONNECTIONS = 16;
const MEMBERS = 200;

let prepared: { readonly ids: readonly string[]; readonly secret: string } | undefined;

/** Awards points over REST to many members, each award as soon as the one before was answered. */
export async function awardsPerSecond(product: BenchProduct, seconds: number): Promise<number> {
  prepared ??= await prepare(product);
  const { ids, secret } = prepared;
  const requests = ids.map((id) => ({
    method: 'POST' as const,
    path: `/api/v2/members/${id}/points`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"amount":1}',
  }));
  const { '2xx': awarded, non2xx } = await autocannon({
    url: product.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests,
  });
  if (non2xx > 0) throw new Error(`${non2xx} awards were refused.`);
  return awarded / seconds;
}

async function prepare(product: BenchProduct) {
  const ids: string[] = [];
  for (let number = 0; number < MEMBERS; number += 1) {
    const input = { email: `award${number}@example.com` };
    const { createMember } = await product.run(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
      { input },
    );
    ids.push((createMember as { id: string }).id);
  }
  return { ids, secret: await product.key(['points:write']) };
}
