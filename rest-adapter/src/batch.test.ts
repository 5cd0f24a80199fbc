import { expect, test } from '@jest/globals';
import { schema } from './adapter.fixture.ts';
import { readBatch } from './batch.ts';
import { nothing } from './input.fixture.ts';
import { POST } from './table/row.ts';
import { readOperation } from './table/row-operation.ts';

const row = POST(
  '/api/member/web-push',
  `mutation AddRules($rules: [DeviceRule!]) {
    data: addDevice(input: { endpoint: "e", keys: { p256dh: "p", auth: "a" }, rules: $rules }) { endpoint }
  }`,
  { isBatch: true, itemsField: 'rules' },
);

/** Reads a batch of `count` items. The last item is invalid. */
const batchOf = (count: number) => {
  const rules = Array.from({ length: count }, (_, index) => ({ status: index < count - 1 ? 'active' : 'x' }));
  return readBatch(row, readOperation(row.document, schema), { ...nothing, body: { rules } });
};

test('in a batch of 100 items only the invalid one is refused; a batch of 101 is refused as a whole', () => {
  const batch = batchOf(100)!;
  expect([batch.sent.length, [...batch.refused.keys()]]).toEqual([99, [99]]);
  expect(batchOf(101)).toBeNull();
});
