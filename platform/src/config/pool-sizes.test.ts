import { describe, expect, test } from '@jest/globals';
import { type ProcessPart, poolSizes } from './pool-sizes.ts';

const besides: Record<ProcessPart, number> = { everything: 10, worker: 8, service: 3 };

describe('the pools of a process', () => {
  test.each([
    // Two cores and the embedded server: the sizes with the best measurements.
    ['everything', { cores: 2, connections: 197 }, { requests: 24, jobs: 8 }],
    ['everything', { cores: 64, connections: 997 }, { requests: 64, jobs: 16 }],
    // PostgreSQL with its default settings, shared by seven processes.
    ['service', { cores: 2, connections: 97 }, { requests: 9, jobs: 2 }],
    ['worker', { cores: 2, connections: 97 }, { requests: 2, jobs: 2 }],
    ['service', { cores: 8, connections: 497 }, { requests: 60, jobs: 2 }],
    ['everything', { cores: 8, connections: 20 }, { requests: 6, jobs: 2 }],
  ] as const)('of %s on %j are %j', (part, machine, sizes) => {
    expect(poolSizes(part, machine)).toEqual(sizes);
  });

  test('of all seven processes fit into what the server allows', () => {
    for (const cores of [1, 2, 8, 64]) {
      for (const connections of [97, 197, 497, 4_997]) {
        const held = (part: ProcessPart) => {
          const { requests, jobs } = poolSizes(part, { cores, connections });
          return besides[part] + requests + (part === 'service' ? 0 : jobs);
        };
        expect(6 * held('service') + held('worker')).toBeLessThanOrEqual(connections);
        expect(held('everything')).toBeLessThanOrEqual(connections);
      }
    }
  });
});
