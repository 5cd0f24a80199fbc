import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { liveContract, remoteLiveContract } from './live.fixture.ts';
import { createRedisLive } from './live-redis.ts';

const url = process.env['REDIS_URL']!;
const connect = () => createRedisLive({ url });

async function interrupt(): Promise<void> {
  const redis = new Redis(url);
  const clients = (await redis.client('LIST')) as string;
  const ids = [...clients.matchAll(/^id=(\d+) .*name=loyalty-live-/gm)].map(([, id]) => id!);
  for (const id of ids) await redis.client('KILL', 'ID', id);
  await redis.quit();
}

liveContract(connect);
remoteLiveContract(connect, interrupt);

test('a server out of reach is reported and can be closed', async () => {
  const reported = Promise.withResolvers<unknown>();
  const live = createRedisLive({ url: 'redis://127.0.0.1:1', onError: reported.resolve });
  expect(await reported.promise).toMatchObject({ code: 'ECONNREFUSED' });
  await live.close();
  await expect(live.ready()).rejects.toThrow('closed');
});
