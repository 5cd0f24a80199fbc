import { expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createReplicatedDatabase } from '../harness/database/standby.ts';
import { eventually } from '../harness/eventually.ts';
import { startProcess, startSeven } from '../processes/processes.ts';
import { createStore, replicaSettings, signUp, storesOf } from './replica.fixture.ts';

test('subgraphs in processes of their own read the replica, and know of writes in another process', async () => {
  const database = await createReplicatedDatabase();
  const settings = { ...replicaSettings(database), DATABASE_REPLICA_LAG_SECONDS: '60' };
  const seven = await startSeven(settings);
  const whole = await startProcess(['start'], settings);
  try {
    const [split, all] = [clientOf(seven.url), clientOf(whole.url)];
    const { user, key } = await signUp(split);
    await createStore(split, 'Old', user);
    await database.resume();
    const isFollowed = async (url: string) => {
      expect(await storesOf(clientOf(url), key)).toEqual(['Old']);
      const metrics = await (
        await fetch(`${url === seven.url ? seven.env['COMMERCE_URL'] : url}/metrics`)
      ).text();
      expect(metrics).toMatch(/^loyalty_list_reads_total\{source="replica"\} [1-9]/m);
    };
    await eventually(() => isFollowed(split.url));
    await eventually(() => isFollowed(all.url));
    await database.pause();
    await createStore(all, 'New', user);
    expect(await storesOf(split, user)).toEqual(['New', 'Old']);
    expect(await storesOf(split, key)).toEqual(['Old']);
    expect(await storesOf(all, key)).toEqual(['Old']);
    await database.resume();
    expect(await storesOf(split, key)).toEqual(['New', 'Old']);
  } finally {
    await whole.end();
    await seven.close();
    await database.close();
  }
}, 420_000);
