import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import { createMetrics } from '../observe/metrics.ts';
import { addMetrics } from './health.ts';

const METRICS_TOKEN = 'a token of the test';

test.each([
  ['in development', { isProduction: false }, undefined, 200],
  ['in production', { isProduction: true }, undefined, 404],
  ['in production, with some credential', { isProduction: true }, 'Bearer lk_live_x', 404],
  ['behind a token', { isProduction: true, METRICS_TOKEN }, undefined, 401],
  ['behind a token, with another', { isProduction: false, METRICS_TOKEN }, 'Bearer another', 401],
  ['behind a token, without its scheme', { isProduction: true, METRICS_TOKEN }, METRICS_TOKEN, 401],
  ['behind a token, with it', { isProduction: true, METRICS_TOKEN }, `Bearer ${METRICS_TOKEN}`, 200],
])('/metrics %s is answered as it should be', async (_, config, authorization, status) => {
  const app = fastify();
  addMetrics(app, createMetrics(), { METRICS_TOKEN: undefined, ...config });
  const headers = authorization ? { authorization } : {};
  const response = await app.inject({ method: 'GET', url: '/metrics', headers });
  expect(response.statusCode).toBe(status);
  expect(response.body.includes('process_cpu')).toBe(status === 200);
  if (status !== 404) expect(response.headers['cache-control']).toBe('no-store');
  if (status === 401) expect(response.headers['www-authenticate']).toBe('Bearer');
  await app.close();
});
