import { expect } from '@jest/globals';

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/**
 * The resources in section 2 of the v2 document. `toEqual` with these shapes allows no missing and no extra
 * key.
 */
export const shapes = {
  uuid,
  instant,
  store: {
    id: uuid,
    name: expect.any(String),
    status: expect.any(String),
    address: expect.any(String),
    created_at: instant,
  },
  member: {
    id: uuid,
    email: expect.any(String),
    name: expect.any(String),
    status: 'active',
    points_balance: expect.any(Number),
    current_tier_id: null,
    created_at: instant,
    customAttributes: expect.any(Object),
  },
  pointsTransaction: {
    id: uuid,
    amount: expect.any(Number),
    balance_after: expect.any(Number),
    description: expect.any(String),
    created_at: instant,
  },
  tier: {
    id: uuid,
    name: expect.any(String),
    rank: expect.any(Number),
    upgrade_threshold: expect.any(Number),
    multiplier: expect.any(Number),
  },
} as const;

/** Expects the v1 error body and its headers. */
export function expectModelError(
  reply: { status: number; body: unknown; headers: Headers },
  status: number,
  code: string | RegExp,
  sentence: string | RegExp = /./,
): void {
  const matching = (one: string | RegExp) =>
    typeof one === 'string' ? expect.stringContaining(one) : expect.stringMatching(one);
  expect({ status: reply.status, body: reply.body }).toEqual({
    status,
    body: { error: { code: matching(code), message: matching(sentence) } },
  });
  expect(reply.headers.get('x-error-code')).toBe((reply.body as { error: { code: string } }).error.code);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
}

/** Expects the v2 error body and its headers. */
export function expectError(
  reply: { status: number; body: unknown; headers: Headers },
  status: number,
  code: string,
  sentence: string | RegExp,
): void {
  expect({ status: reply.status, code: reply.headers.get('x-error-code'), body: reply.body }).toEqual({
    status,
    code,
    body: {
      error:
        typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
    },
  });
  expect(reply.headers.get('x-request-id')).toBeTruthy();
}
