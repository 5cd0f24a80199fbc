import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { shapes } from '../shapes.ts';
import { defineFields, enrol } from './members.fixture.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
  await defineFields(stack, token);
});

describe('custom fields', () => {
  test('GET /custom-fields lists the definitions', async () => {
    const { body } = await stack.rest('GET', '/api/v2/custom-fields', { as: key });
    expect(body.total).toBe(6);
    expect(body.fields).toContainEqual({
      key: 'size',
      label: 'Size',
      type: 'enum',
      options: ['s', 'm', 'l'],
      created_at: shapes.instant,
    });
    expect(body.fields).toContainEqual({
      key: 'vip',
      label: 'VIP',
      type: 'boolean',
      options: null,
      created_at: shapes.instant,
    });
  });

  test('GET /custom-fields/values lists what members hold', async () => {
    const { id } = await enrol(stack, key, { customAttributes: { visits: 4 } });
    const { body } = await stack.rest('GET', `/api/v2/custom-fields/values?memberId=${id}`, { as: key });
    expect(body).toEqual({
      values: [{ memberId: id, key: 'visits', value: 4, updated_at: shapes.instant }],
      total: 1,
    });
  });
});
