import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { connect, objectOf } from './mcp.fixture.ts';

const stack = useStack();

const members = (count: number): string =>
  ['email,name', ...Array.from({ length: count }, (_, i) => `wait${i}@example.com,Wait ${i}`)].join('\n');

/** A client, and an import of `count` members that no worker has started. */
async function givenImport(count: number) {
  const { token } = await stack.signUp();
  const { secret } = await stack.key(token);
  const { body } = await stack.rest('POST', '/api/v2/members/import', {
    as: secret,
    body: { format: 'csv', content: members(count), mapping: { name: 'fullName' } },
  });
  return { client: await connect(stack, secret), id: body.data.id as string };
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
}

// This test is the first one, because a worker would finish the import by itself.
test('the wait ends when the client disconnects', async () => {
  const { client, id } = await givenImport(3);
  const waiting = Promise.withResolvers<void>();
  const call = client.callTool(
    { name: 'member_imports_get', arguments: { id, wait: true } },
    { onprogress: () => waiting.resolve() },
  );
  await waiting.promise;
  await Promise.all([expect(call).rejects.toThrow(), client.close()]);
  const reads = () => stack.services.statements.filter((sql) => sql.includes('FROM platform.imports')).length;
  expect(reads()).toBeGreaterThan(0);
  await eventually(async () => {
    const before = reads();
    await delay(READ_EVERY_MS * 1.5);
    expect(reads()).toBe(before);
  });
});

/** The interval at which the server reads the import while it waits. */
const READ_EVERY_MS = 1_000;

test('a tool waits for the end of an import and reports how far it is; a total only once it is known', async () => {
  const { client, id } = await givenImport(300);
  const reported: Progress[] = [];
  const waiting = Promise.withResolvers<void>();
  const call = client.callTool(
    { name: 'member_imports_get', arguments: { id, wait: true } },
    {
      onprogress(progress) {
        reported.push(progress);
        waiting.resolve();
      },
    },
  );
  await waiting.promise;
  await stack.work();
  expect(objectOf(await call).data).toMatchObject({ status: 'completed', inserted: 300, total: 300 });
  expect(reported[0]).toEqual({ progress: 0 });
  expect(reported.at(-1)!.progress).toBe(300);
  expect(reported.filter(({ total = 300 }) => total !== 300)).toEqual([]);
  await client.close();
});
