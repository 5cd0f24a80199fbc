import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { expectError } from '../shapes.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
});

describe('unsubscribe', () => {
  test('POST suppresses an address, also one without a member, as often as it is sent', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await stack.rest('POST', '/api/v2/members/unsubscribe', {
        as: key,
        body: { email: ' Gone@Example.com' },
      });
      expect({ status, body }).toEqual({
        status: 200,
        body: { data: { email: 'gone@example.com', unsubscribed: true } },
      });
    }
    const { body } = await stack.rest('GET', '/api/v2/members/unsubscribe?email=GONE@example.com', {
      as: key,
    });
    expect(body).toEqual({ data: { email: 'gone@example.com', unsubscribed: true } });
  });

  test('GET of an address that nobody opted out is false', async () => {
    const { status, body } = await stack.rest('GET', '/api/v2/members/unsubscribe?email=here@example.com', {
      as: key,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { email: 'here@example.com', unsubscribed: false } },
    });
  });

  test('a missing or bad address is 400', async () => {
    expectError(
      await stack.rest('POST', '/api/v2/members/unsubscribe', { as: key, body: {} }),
      400,
      'VALIDATION_FAILED',
      'email is required',
    );
    expectError(
      await stack.rest('GET', '/api/v2/members/unsubscribe?email=x', { as: key }),
      400,
      'VALIDATION_FAILED',
      /^email must be an e-mail/,
    );
  });
});
