import { expect, test } from '@jest/globals';
import { createMetrics, renderMetrics } from './metrics.ts';

test('the answer is Prometheus text with the measurements and those of the process', async () => {
  const metrics = createMetrics();
  metrics.knowOperations(['AwardPoints']);
  metrics.observeRequest({ channel: 'rest', operation: 'AwardPoints', status: 200, seconds: 0.003 });
  metrics.subgraphSeconds.observe({ subgraph: 'loyalty', outcome: 'ok' }, 0.002);
  metrics.jobsTotal.inc({ job: 'engagement.deliver-webhook', outcome: 'done' });
  metrics.outboxLagSeconds.set(3);
  const { contentType, body } = await renderMetrics(metrics);
  expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(body).toContain(
    'loyalty_request_seconds_bucket{le="0.005",channel="rest",operation="AwardPoints",status="200"} 1',
  );
  expect(body).toContain('loyalty_jobs_total{job="engagement.deliver-webhook",outcome="done"} 1');
  expect(body).toContain('loyalty_outbox_lag_seconds 3');
  expect(body).toContain('process_resident_memory_bytes');
});

test('ten thousand operation names of clients make one label', async () => {
  const metrics = createMetrics();
  metrics.knowOperations(['AwardPoints']);
  for (let i = 0; i < 10_000; i++) {
    metrics.observeRequest({ channel: 'graphql', operation: `Made${i}Up`, status: 200, seconds: 0.001 });
  }
  metrics.observeRequest({ channel: 'graphql', operation: null, status: 999, seconds: 0.001 });
  const { values } = await metrics.requestSeconds.get();
  expect(new Set(values.map(({ labels }) => labels.operation))).toEqual(new Set(['other']));
  expect(new Set(values.map(({ labels }) => labels.status))).toEqual(new Set(['200', 'other']));
});

test('two registries of one process do not meet', () => {
  expect(createMetrics().registry).not.toBe(createMetrics().registry);
});
