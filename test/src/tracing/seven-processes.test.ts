import { expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { startCollector } from '../harness/collector.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { environmentOf } from '../processes/environment.ts';
import { startProcess, startSeven } from '../processes/processes.ts';
import { expectNothingPersonal, JOBS, orderTraced, pathTo, signUp } from './trace.given.ts';

test('a REST write is one trace through seven processes and a REST adapter', async () => {
  const database = await createTestDatabase();
  const collector = await startCollector();
  const OTEL_EXPORTER_OTLP_ENDPOINT = collector.endpoint;
  const seven = await startSeven({ ...environmentOf(database.url), OTEL_EXPORTER_OTLP_ENDPOINT });
  const adapter = await startProcess(['serve', 'rest-adapter'], { ...seven.env, GATEWAY_URL: seven.url });
  try {
    const client = { ...clientOf(seven.url), rest: clientOf(adapter.url).rest };
    const key = await signUp(client);
    const { spans, memberId } = await orderTraced(client, key, collector);
    for (const job of JOBS) {
      expect(pathTo(spans, job)).toEqual([
        'POST /api/v2/orders',
        'POST /graphql',
        'mutation',
        'subgraph commerce',
        'POST /graphql',
        'send order.created',
        job,
      ]);
    }
    expectNothingPersonal(collector, memberId, key);
  } finally {
    await Promise.all([adapter.end(), seven.close()]);
    collector.close();
    await database.drop();
  }
}, 120_000);
