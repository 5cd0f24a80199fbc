import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@loyalty/platform/config/config';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { parse } from 'yaml';
import { compileCache } from '../processes/compile-cache.ts';
import { type ComposeService, composeServices, deployDir, readCompose } from './compose-file.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(`${deployDir}${path}`, 'utf8');

/** The settings and secrets of the processes of the chart. */
interface Chart {
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, ChartRole>>;
}
interface ChartRole {
  readonly args: readonly string[];
  readonly port: number;
  readonly replicas: number;
  readonly env: Readonly<Record<string, string>>;
}

const given = {
  POSTGRES_PASSWORD: 'secret',
  LOYALTY_MASTER_KEYS: `k:${Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)).toString('base64')}`,
  PUBLIC_URL: 'https://loyalty.example.com',
  MAIL_URL: 'smtp://mail.example.com',
  METRICS_TOKEN: 'sixteen characters',
};
const services = composeServices(given);
const chart: Chart = parse(read('helm/loyalty/values.yaml'));
const chartEnvironment = { ...chart.secrets, ...chart.settings, ...given };
/** The settings of the product and of Node. */
const settings = new Set([
  ...[...readFileSync(`${repository}.env.example`, 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
  'NODE_OPTIONS',
]);

describe('every process', () => {
  test.each(services)(
    'of compose.yaml gets settings that the product reads and accepts: $name',
    (service) => {
      expect(Object.keys(service.environment).filter((name) => !settings.has(name))).toEqual([]);
      expect(loadConfig(service.environment, '/nowhere').isProduction).toBe(true);
    },
  );

  test.each(Object.entries(chart.roles))(
    'of the chart gets settings that the product reads and accepts: %s',
    (_, { env }) => {
      const environment = { ...chartEnvironment, DATABASE_URL: 'postgres://db/loyalty', ...env };
      expect(
        Object.keys(environment).filter((name) => name !== 'POSTGRES_PASSWORD' && !settings.has(name)),
      ).toEqual([]);
      expect(loadConfig(environment, '/nowhere').isProduction).toBe(true);
    },
  );

  test('is the same in the chart as in compose.yaml', () => {
    const ofChart = Object.entries(chart.roles).map(([name, { args, port, replicas, env }]) => [
      name,
      { args, replicas, ...env, PORT: `${port}` },
    ]);
    const ofCompose = services
      .filter(({ name }) => name !== 'migrate')
      .map(({ name, command, replicas, environment }) => [
        name,
        { args: command, replicas, ...sizesOf(environment), PORT: environment['PORT'] },
      ]);
    expect(Object.fromEntries(ofCompose)).toEqual(Object.fromEntries(ofChart));
  });

  test('is started by a command that the product has', async () => {
    const main = `${repository}cli/src/main.ts`;
    const commands = services.map(({ command }) =>
      command[1] === 'subgraph' ? command.slice(0, 2) : command,
    );
    const different = [...new Set(commands.map((command) => command.join(' ')))];
    expect(different).not.toHaveLength(0);
    for (const command of different) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [main, ...command.split(' '), '--help'],
        { env: { ...compileCache } },
      );
      expect(stdout).toContain(`Usage: loyalty ${command} `);
    }
  });
});

/** The settings in which roles differ: sizes of connection pools, and memory. */
const sizesOf = (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /_POOL_SIZE$|^NODE_OPTIONS$/.test(name)));

test('the pools of all processes fit into the connections of the database, one role being doubled', () => {
  const { command } = readCompose().services['postgres'] as { command: readonly string[] };
  const [, most] = /max_connections=(\d+)/.exec(command.join(' ')) ?? [];
  const connections = ({ name, environment }: ComposeService): number => {
    const [requests = 0, jobs = 0] = ['DATABASE_POOL_SIZE', 'DATABASE_JOB_POOL_SIZE'].map((pool) =>
      Number(environment[pool] ?? 0),
    );
    if (requests === 0) return 0;
    return name === 'worker' ? requests + jobs + 8 : requests + 3;
  };
  const taken = services.map((service) => service.replicas * connections(service));
  const sum = taken.reduce((a, b) => a + b, 0);
  expect(sum).toBeGreaterThan(100);
  expect(sum + Math.max(...taken)).toBeLessThanOrEqual(Number(most));
});

test('the proxy has a backend for every service that is served, on its port', () => {
  const served = services.filter(({ name }) => name !== 'migrate' && name !== 'worker');
  const backends = [...read('haproxy.cfg').matchAll(/^ +server-template (\w+) 8 (\w+):(\d+)$/gm)];
  expect(backends.map(([, backend, name, port]) => [backend, name, port]).sort()).toEqual(
    served.map(({ name, environment }) => [name, name, environment['PORT']]).sort(),
  );
});

describe('every metric', () => {
  const own = createMetrics().registry;
  const pattern = /\b((?:loyalty|nodejs|process)_[a-z0-9_]+)\b/g;
  const known = (name: string) =>
    own.getSingleMetric(name) ?? own.getSingleMetric(name.replace(/_(bucket|count|sum)$/, ''));

  test.each(['grafana/loyalty.json', 'prometheus/alerts.yaml', 'README.md'])('in %s is measured', (path) => {
    const named = new Set([...read(path).matchAll(pattern)].map(([, name]) => name!));
    named.delete('loyalty_restored');
    expect(named.size).toBeGreaterThan(3);
    expect([...named].filter((name) => !known(name))).toEqual([]);
  });

  test('of the product is explained in the guide and shown on the dashboard', () => {
    const names = own.getMetricsAsArray().map(({ name }) => name);
    const ours = names.filter((name) => name.startsWith('loyalty_'));
    expect(ours.filter((name) => !read('README.md').includes(`| \`${name}\``))).toEqual([]);
    expect(ours.filter((name) => !read('grafana/loyalty.json').includes(name))).toEqual([]);
  });
});

test('every alert is explained in the guide', () => {
  const { groups } = parse(read('prometheus/alerts.yaml')) as {
    groups: { rules: { alert?: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
  const explained = [...read('README.md').matchAll(/^\| `(Loyalty\w+)`/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(alerts.sort());
});
