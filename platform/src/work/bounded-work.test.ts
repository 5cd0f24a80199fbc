import { expect, test } from '@jest/globals';
import { createBoundedWork, ThreadEnded, type WorkOwner } from './bounded-work.ts';
import type { FixtureJob, FixtureResult } from './work-thread.fixture.ts';

const short = { kind: 'work', ms: 5 } as const;
const endless = { kind: 'work', ms: 3_600_000 } as const;
const open = () =>
  createBoundedWork<FixtureJob, FixtureResult>(new URL('./work-thread.fixture.ts', import.meta.url), {
    memoryMb: 64,
    msMax: 1_000,
    ready: { kind: 'work', ms: 0 },
  });
const owner = (workspaceId: string, signal = new AbortController().signal): WorkOwner => ({
  scope: { workspaceId },
  request: { signal },
});

test.each([
  ['time', endless],
  ['memory', { kind: 'fill memory' }],
] as const)(
  'a job beyond its bounds of %s fails, and those of other workspaces are done',
  async (_, hostile) => {
    const work = open();
    const ended = work.run(owner('a'), hostile);
    const others = [work.run(owner('b'), short), work.run(owner('c'), short)];
    await expect(ended).rejects.toThrow(ThreadEnded);
    expect(await Promise.all(others)).toHaveLength(2);
  },
);

test('after its first such job a workspace keeps only itself waiting', async () => {
  const work = open();
  const hostile = Promise.allSettled(Array.from({ length: 4 }, () => work.run(owner('a'), endless)));
  let isOver = false;
  void hostile.then(() => (isOver = true));
  for (let round = 0; round < 5; round += 1) await work.run(owner('b'), short);
  expect(isOver).toBe(false);
  for (const result of await hostile)
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ThreadEnded) });
});

test('workspaces take turns', async () => {
  const work = open();
  const done: string[] = [];
  const run = async (workspaceId: string) => {
    await work.run(owner(workspaceId), short);
    done.push(workspaceId);
  };
  await Promise.all(['a', 'a', 'a', 'b', 'b'].map(run));
  expect(done).toEqual(['a', 'a', 'b', 'a', 'b']);
});

test('what nobody waits for any more is not begun, and what the module throws fails its job only', async () => {
  const work = open();
  const given = new AbortController();
  const running = work.run(owner('a'), short);
  const waiting = work.run(owner('a', given.signal), endless);
  given.abort(new Error('gone'));
  await running;
  await expect(waiting).rejects.toThrow('gone');
  await expect(work.run(owner('a'), { kind: 'fail', message: 'no' })).rejects.toThrow('no');
  expect(await work.run(owner('a'), short)).toMatchObject({ thread: expect.any(Number) });
});
