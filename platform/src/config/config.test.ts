import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from './config.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loyalty-config-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const key = randomBytes(32).toString('base64');
const production = {
  NODE_ENV: 'production',
  LOYALTY_MASTER_KEYS: `a:${key}`,
  DATABASE_URL: 'postgres://db.example.com/loyalty',
  MAIL_URL: 'smtps://user:secret@mail.example.com',
  PUBLIC_URL: 'https://loyalty.example.com',
};

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env, directory);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

describe('settings', () => {
  test('all have a default outside production', () => {
    const config = loadConfig({}, directory);
    expect(config).toMatchObject({
      PORT: 4_000,
      HOST: '127.0.0.1',
      LOYALTY_DEMO: true,
      TRUST_PROXY: 0,
      CORS_ORIGINS: [],
      isProduction: false,
      dataDir: directory,
    });
    expect(config.DATABASE_URL).toBeUndefined();
  });

  test('are read as what they mean', () => {
    const env = {
      PORT: '0',
      LOYALTY_DEMO: '0',
      TRUST_PROXY: '10.0.0.0/8, loopback',
      CORS_ORIGINS: 'https://shop.example.com, http://localhost:3000',
      OUTBOUND_ALLOW: ' 127.0.0.1:9999, ,[::1]:80 ',
      LOYALTY_DATA_DIR: directory,
    };
    expect(loadConfig(env, '/nowhere')).toMatchObject({
      PORT: 0,
      LOYALTY_DEMO: false,
      TRUST_PROXY: ['10.0.0.0/8', '127.0.0.0/8', '::1/128'],
      CORS_ORIGINS: ['https://shop.example.com', 'http://localhost:3000'],
      OUTBOUND_ALLOW: ['127.0.0.1:9999', '[::1]:80'],
      dataDir: directory,
    });
  });

  test('that are empty count as absent', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '', LOYALTY_MASTER_KEYS: '' }, directory)).toMatchObject({
      PORT: 4_000,
    });
  });

  test.each([
    ['NODE_ENV', 'staging'],
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4000.5'],
    ['PUBLIC_URL', 'loyalty'],
    ['DATABASE_URL', 'mysql://user:hunter2@db/loyalty'],
    ['DATABASE_POOL_SIZE', '1'],
    ['DATABASE_REPLICA_URL', 'mysql://user:hunter2@db/loyalty'],
    ['DATABASE_REPLICA_LAG_SECONDS', '0'],
    ['LOYALTY_MASTER_KEYS', 'hunter2'],
    ['LOYALTY_MASTER_KEYS', 'a:aHVudGVyMg=='],
    ['LOYALTY_MASTER_KEYS', `a:${Buffer.alloc(32).toString('base64')}`],
    ['LOYALTY_MASTER_KEYS', `a:${key},b:${Buffer.alloc(32, 7).toString('base64')}`],
    ['LOYALTY_MASTER_KEYS', `a:${Buffer.alloc(32, 'abcd').toString('base64')}`],
    ['LOYALTY_MASTER_KEYS', `a:${key},`],
    ['LOYALTY_DEMO', 'yes'],
    ['REDIS_URL', 'http://hunter2@redis'],
    ['MAIL_URL', 'https://user:hunter2@mail'],
    ['TRUST_PROXY', 'all'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'shop.example.com'],
    ['CORS_ORIGINS', 'https://shop.example.com/'],
    ['CORS_ORIGINS', 'https://Shop.example.com'],
    ['CORS_ORIGINS', 'https://a.example.com,null'],
    ['METRICS_TOKEN', 'hunter2'],
    ['SHUTDOWN_DELAY_MS', '-1'],
    ['SHUTDOWN_DELAY_MS', '60001'],
    ['LOG_LEVEL', 'loud'],
    ['GATEWAY_URL', 'gateway'],
    ['WORKSPACE_URL', ':4001'],
    ['LOYALTY_URL', 'x'],
    ['COMMERCE_URL', 'x'],
    ['ENGAGEMENT_URL', 'x'],
    ['MODEL_URL', 'x'],
    ['MODEL_URL_SCORE', 'scorer:4007'],
    ['MODEL_SCORE_TIMEOUT_MS', '0'],
    ['MODEL_SCORE_CONNECT_TIMEOUT_MS', '1s'],
    ['SUBGRAPH_TIMEOUT_MS', '5s'],
    ['SUBGRAPH_TIMEOUT_MS', '60001'],
    ['SUBGRAPH_ANSWER_BYTES_MAX', '32MiB'],
    ['SUBGRAPH_ANSWER_BYTES_MAX', '65535'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['STRIPE_API_URL', 'stripe'],
    ['SUBSCRIPTION_CREDITS_PER_MONTH', '-1'],
    ['OUTBOX_DAYS', '0'],
    ['QUEUE_DAYS', '0'],
    ['HISTORY_DAYS', '6'],
    ['IMPORT_FILE_DAYS', '366'],
    ['RESERVATION_DAYS', 'forever'],
  ])('%s=%s is refused by one sentence that names it and repeats nothing secret', (name, value) => {
    const message = messageOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^Set ${name} .+\\.$`));
    expect(message.split('\n')).toHaveLength(1);
    expect(message).not.toContain('hunter2');
  });
});

test.each([
  [
    { STRIPE_SECRET_KEY: 'hunter2' },
    'Set STRIPE_WEBHOOK_SECRET, too: STRIPE_SECRET_KEY is set and needs it.',
  ],
  [
    { STRIPE_WEBHOOK_SECRET: 'hunter2' },
    'Set STRIPE_SECRET_KEY, too: STRIPE_WEBHOOK_SECRET is set and needs it.',
  ],
  [
    { DATABASE_REPLICA_URL: 'postgres://user:hunter2@replica/loyalty' },
    'Set REDIS_URL, too: DATABASE_REPLICA_URL is set and needs it.',
  ],
])('a setting without the one that it needs is refused, case %#', (env, message) => {
  expect(messageOf(env)).toBe(message);
});

describe('production', () => {
  test('starts with everything that it needs', () => {
    expect(loadConfig(production, directory)).toMatchObject({
      isProduction: true,
      masterKeys: [{ id: 'a' }],
    });
  });

  test.each(['LOYALTY_MASTER_KEYS', 'DATABASE_URL', 'MAIL_URL', 'PUBLIC_URL'])(
    'does not start without %s',
    (name) => {
      expect(messageOf({ ...production, [name]: undefined })).toMatch(
        new RegExp(`^Set ${name} in production: .+\\.$`),
      );
    },
  );
});

test('a process without a database needs the master keys alone in production', () => {
  const { DATABASE_URL: _url, MAIL_URL: _mail, PUBLIC_URL: _public, ...bare } = production;
  expect(loadConfig(bare, directory, ['LOYALTY_MASTER_KEYS']).masterKeys).toMatchObject([{ id: 'a' }]);
  expect(() => loadConfig({ NODE_ENV: 'production' }, directory, ['LOYALTY_MASTER_KEYS'])).toThrow(
    /^Set LOYALTY_MASTER_KEYS in production: /,
  );
});

describe('master keys', () => {
  test('are read in their order, the current one first', () => {
    const { masterKeys } = loadConfig(
      { LOYALTY_MASTER_KEYS: `b:${key}, a:${randomBytes(32).toString('base64')}` },
      directory,
    );
    expect(masterKeys.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(masterKeys[0]!.key.toString('base64')).toBe(key);
  });

  test('are made once outside production, and kept where only their owner reads them', async () => {
    const own = join(directory, 'made');
    const [first] = loadConfig({}, own).masterKeys;
    const [second] = loadConfig({}, own).masterKeys;
    expect(second!.key.equals(first!.key)).toBe(true);
    expect(first!.key).toHaveLength(32);
    expect((await stat(join(own, 'master.key'))).mode & 0o777).toBe(0o600);
  });
});
