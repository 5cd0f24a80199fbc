import { afterEach, expect, test } from '@jest/globals';
import type { Live } from './live.ts';

/** Resolves when the condition is true; fails the test after 5 s. */
async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error('The condition did not come true within 5 s.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Tests for every carrier of live events.
 *
 * @param connect - creates a further participant that reaches the others
 */
export function liveContract(connect: () => Live): void {
  const open: Live[] = [];
  const join = async () => {
    const live = connect();
    open.push(live);
    await live.ready();
    return live;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((live) => live.close()));
  });

  test('every subscriber of a channel receives an id once, others do not', async () => {
    const live = await join();
    const received: string[] = [];
    live.subscribe('bulk-job', (id) => received.push(`first ${id}`));
    live.subscribe('bulk-job', (id) => received.push(`second ${id}`));
    live.subscribe('member', (id) => received.push(`other ${id}`));
    await live.publish('bulk-job', '7');
    await live.publish('member', '8');
    await until(() => received.length >= 3);
    expect(received).toEqual(['first 7', 'second 7', 'other 8']);
  });

  test('a thousand ids published together arrive in order', async () => {
    const live = await join();
    const received: string[] = [];
    live.subscribe('bulk-job', (id) => received.push(id));
    const ids = Array.from({ length: 1_000 }, (_, i) => `${i}`);
    await Promise.all(ids.map((id) => live.publish('bulk-job', id)));
    await until(() => received.length >= ids.length);
    expect(received).toEqual(ids);
  });

  test('who unsubscribed receives nothing, the same function subscribed twice receives twice', async () => {
    const live = await join();
    const received: string[] = [];
    const listener = (id: string) => received.push(id);
    const stop = live.subscribe('member', listener);
    live.subscribe('member', listener);
    live.subscribe('member', listener);
    stop();
    stop();
    await live.publish('member', '1');
    await live.publish('end', '1');
    await until(() => received.length >= 2);
    expect(received).toEqual(['1', '1']);
  });

  failureContract(join);
}

function failureContract(join: () => Promise<Live>): void {
  test('a listener that throws or unsubscribes while it runs leaves the others untouched', async () => {
    const live = await join();
    const received: string[] = [];
    const stop = live.subscribe('member', () => stop());
    live.subscribe('member', () => {
      throw new Error('broken listener');
    });
    live.subscribe('member', (id) => received.push(id));
    await live.publish('member', '1');
    await live.publish('member', '2');
    await until(() => received.length >= 2);
    expect(received).toEqual(['1', '2']);
  });

  test('only ids are carried: long ones, text and addresses are refused', async () => {
    const live = await join();
    await live.publish('c'.repeat(200), 'i'.repeat(200));
    for (const id of ['', 'i'.repeat(201), 'ada@example.org', 'Ada Lovelace', '{"a":1}', 'é']) {
      await expect(live.publish('member', id)).rejects.toThrow(RangeError);
      await expect(live.publish(id, '1')).rejects.toThrow(RangeError);
    }
  });

  test('after closing nothing is carried, and closing twice is harmless', async () => {
    const live = await join();
    await live.close();
    await live.close();
    await expect(live.publish('member', '1')).rejects.toThrow('closed');
  });
}

/**
 * Additional tests for carriers between processes.
 *
 * @param connect - creates a further participant, as in another process
 * @param interrupt - breaks the connections of all participants, which may connect again at once
 */
export function remoteLiveContract(connect: () => Live, interrupt: () => Promise<unknown>): void {
  test('what one process publishes another receives', async () => {
    const [here, there] = [connect(), connect()];
    await Promise.all([here.ready(), there.ready()]);
    const received: string[] = [];
    there.subscribe('member', (id) => received.push(id));
    await here.publish('member', '1');
    await until(() => received.length === 1);
    await Promise.all([here.close(), there.close()]);
  });

  test('a lost connection is made again, and everyone is notified of the gap', async () => {
    const live = connect();
    await live.ready();
    let gaps = 0;
    const received: string[] = [];
    live.onGap(() => {
      gaps += 1;
    });
    live.onGap(() => {
      throw new Error('broken listener');
    });
    live.subscribe('member', (id) => received.push(id));
    await live.publish('member', '1');
    await until(() => received.length === 1);
    expect(gaps).toBe(0);
    for (const round of [1, 2]) {
      await interrupt();
      await until(() => gaps === round);
    }
    await live.publish('member', '2');
    await until(() => received.length === 2);
    await live.close();
  });

  test('a message published while the connection is away goes out afterwards', async () => {
    const live = connect();
    await live.ready();
    let gaps = 0;
    live.onGap(() => {
      gaps += 1;
    });
    await interrupt();
    // The first message may fail, because the lost connection is not detected yet.
    await live.publish('member', '1').catch(() => {});
    await live.publish('member', '2');
    await until(() => gaps === 1);
    await live.close();
  });
}
