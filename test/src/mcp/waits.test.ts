import { expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';
import { connect, objectOf } from './mcp.given.ts';

const stack = useStack();

const members = (count: number): string =>
  ['email,name', ...Array.from({ length: count }, (_, i) => `wait${i}@example.com,Wait ${i}`)].join('\n');

test('a tool waits for the end of an import and reports how far it is', async () => {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token);
  const client = await connect(stack, secret);
  const { body } = await stack.rest('POST', '/api/v2/members/import', {
    as: secret,
    body: { format: 'csv', content: members(300) },
  });
  await stack.work();
  const reported: { progress: number; total?: number | undefined }[] = [];
  const reply = await client.callTool(
    { name: 'member_imports_get', arguments: { id: body.data.id, wait: true } },
    { onprogress: (progress) => void reported.push(progress) },
  );
  expect(objectOf(reply).data).toMatchObject({ status: 'completed', inserted: 300 });
  expect(reported.at(-1)).toMatchObject({ progress: 300, total: 300 });
  await client.close();
}, 60_000);

test('a client that goes ends the wait', async () => {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token);
  const client = await connect(stack, secret);
  const { body } = await stack.rest('POST', '/api/v2/members/import', {
    as: secret,
    body: { format: 'csv', content: members(3), mapping: { name: 'fullName' } },
  });
  const leaving = new AbortController();
  const call = client.callTool(
    { name: 'member_imports_get', arguments: { id: body.data.id, wait: true } },
    { signal: leaving.signal },
  );
  setTimeout(() => leaving.abort(), 100);
  await expect(call).rejects.toThrow();
  await client.close();
});
