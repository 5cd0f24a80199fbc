import type { Stack } from '../harness/stack.ts';

let made = 0;

/** Makes a pool with that number of codes, as the back office does; returns its id. */
export async function openPool(
  stack: Stack,
  token: string,
  codes: number,
  more: object = {},
): Promise<string> {
  made += 1;
  const input = { name: `Pool ${made}`, couponType: 'PERCENT', discountDisplay: '20% off', ...more };
  const { createCouponPool } = await mutate(
    stack,
    token,
    'mutation ($input: CreateCouponPoolInput!) { createCouponPool(input: $input) { id } }',
    { input },
  );
  if (codes > 0) {
    const generate = 'mutation ($id: ID!, $n: Int!) { generateCoupons(poolId: $id, count: $n) { id } }';
    await mutate(stack, token, generate, { id: createCouponPool.id, n: codes });
  }
  return createCouponPool.id;
}

/** Imports codes of a client into a pool. */
export async function importCodes(stack: Stack, token: string, poolId: string, codes: readonly string[]) {
  const put = 'mutation ($id: ID!, $codes: [String!]!) { importCoupons(poolId: $id, codes: $codes) { id } }';
  await mutate(stack, token, put, { id: poolId, codes });
}

export async function setStatus(stack: Stack, token: string, id: string, status: string, voidCodes = false) {
  await mutate(
    stack,
    token,
    `mutation ($id: ID!, $status: CouponPoolStatus!, $voidCodes: Boolean!) {
       setCouponPoolStatus(id: $id, status: $status, voidCodes: $voidCodes) { id } }`,
    { id, status, voidCodes },
  );
}

/** Captures an e-mail address; returns the id of the capture. */
export async function capture(
  stack: Stack,
  token: string,
  address?: string,
  storeId: string | null = null,
): Promise<string> {
  made += 1;
  const email = address ?? `capture-${made}@example.com`;
  const { createCapture } = await mutate(
    stack,
    token,
    'mutation ($input: CreateCaptureInput!) { createCapture(input: $input) { id } }',
    { input: { email, storeId } },
  );
  return createCapture.id;
}

export async function openStore(stack: Stack, token: string): Promise<string> {
  const input = { name: 'Ribeira', address: 'Street 1' };
  const { createStore } = await mutate(
    stack,
    token,
    'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }',
    { input },
  );
  return createStore.id;
}

async function mutate(stack: Stack, token: string, mutation: string, variables: object) {
  const { data, errors } = await stack.graph<Record<string, { id: string }>>(mutation, variables, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data as Record<string, { id: string }> &
    Record<'createCouponPool' | 'createCapture' | 'createStore', { id: string }>;
}
