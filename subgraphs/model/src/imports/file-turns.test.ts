import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { csv } from './data-imports.fixture.ts';
import { FILES_AT_ONCE, FILES_WAITING, inFileTurn, SMALL_LENGTH } from './file-turns.ts';

const { newContext } = useServices();
const small = csv('EVENTS', 'external_id');
const large = csv('EVENTS', 'x'.repeat(SMALL_LENGTH + 1));

test('large files wait for each other, small ones for nobody, and more than can wait are refused', async () => {
  const ctx = newContext();
  const ends: (() => void)[] = [];
  const send = (file: typeof large) =>
    inFileTurn(ctx, file, () => new Promise<string>((resolve) => ends.push(() => resolve('done'))));
  const sent = Array.from({ length: FILES_AT_ONCE + FILES_WAITING }, () => send(large));
  expect(ends).toHaveLength(FILES_AT_ONCE);
  await expect(send(large)).rejects.toMatchObject({
    category: 'UNAVAILABLE',
    code: 'UPLOADS_BUSY',
    details: { retryAfterSeconds: 5 },
  });
  const smallOnes = [send(small), send(small), send(small)];
  expect(ends).toHaveLength(FILES_AT_ONCE + smallOnes.length);
  for (let ended = 0; ended < sent.length + smallOnes.length; ended += 1) {
    ends[ended]!();
    await setImmediate();
  }
  expect(new Set(await Promise.all([...sent, ...smallOnes]))).toEqual(new Set(['done']));
});
