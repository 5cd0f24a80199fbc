import { expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { workerServer } from '@loyalty/cli/serve/worker-server';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { useServices } from '../harness/services.ts';

const { services } = useServices();

const METRICS_TOKEN = 'a token of the test';

test.each([
  ['without a token nobody', {}, undefined, 404],
  ['only who sends the token', { METRICS_TOKEN }, undefined, 401],
  ['only who sends the token', { METRICS_TOKEN }, `Bearer ${METRICS_TOKEN}`, 200],
])(
  'in production %s reads the metrics of any process, case %#',
  async (_, settings, authorization, status) => {
    const config = { ...services.config, isProduction: true, ...settings };
    const own = { ...services, config };
    const gateway = await composeGateway(own, localTransports(own));
    const apps = [
      gateway.app,
      workerServer(own),
      subgraphServer(subgraphs.model, own, callerSecrets(config)),
    ];
    for (const app of apps) {
      const headers = authorization ? { authorization } : {};
      const { statusCode, body } = await app.inject({ method: 'GET', url: '/metrics', headers });
      expect([statusCode, body.includes('loyalty_request_seconds')]).toEqual([status, status === 200]);
      expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
    }
    for (const app of apps.slice(1)) await app.close();
    await gateway.close();
  },
);

test('counters and no other metrics have names with `_total`, and each metric has a help text', async () => {
  const gateway = await composeGateway(services, localTransports(services));
  const worker = workerServer(services);
  for (const app of [gateway.app, worker]) {
    const { body } = await app.inject('/metrics');
    const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name, type]) => [name!, type!] as const,
    );
    expect(types.length).toBeGreaterThan(30);
    const misnamed = types.filter(([name, type]) => name.endsWith('_total') !== (type === 'counter'));
    expect(misnamed).toEqual([]);
    const helped = [...body.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name);
    expect(helped).toEqual(types.map(([name]) => name));
  }
  await worker.close();
  await gateway.close();
  // These metrics exist in a process that has done nothing yet, too.
  const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['nodejs_active_resources', 'nodejs_active_handles']));
});
