import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MasterKey } from '../crypto/keyring.ts';
import { readTrustedProxies } from './trusted-proxies.ts';

/** A setting is missing or wrong. The message is one sentence that names the correction. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const wholeNumberIn = (min: number, max: number) =>
  z.coerce
    .number({ error: `a whole number from ${min} to ${max}` })
    .int({ error: `a whole number from ${min} to ${max}` })
    .min(min, { error: `a whole number from ${min} to ${max}` })
    .max(max, { error: `a whole number from ${min} to ${max}` });
const wholeNumber = (min: number, max: number, fallback: number) => wholeNumberIn(min, max).default(fallback);
const wholeNumberIfGiven = (min: number, max: number) => wholeNumberIn(min, max).optional();
const oneOf = <const Values extends readonly string[]>(values: Values, fallback: Values[number]) =>
  z.enum(values, { error: `one of ${values.join(', ')}` }).default(fallback as never);
/** Messages in this file complete the sentence "Set NAME to …". */
const url = (example: string, protocol: RegExp = /^https?$/) =>
  z.url({ protocol, error: `a URL such as ${example}` });
const flag = (fallback: boolean) =>
  z
    .enum(['0', '1', 'true', 'false'], { error: '1 or 0' })
    .transform((text) => text === '1' || text === 'true')
    .default(fallback);
const text = z.string().min(1);
/** A setting as text that `read` parses; `read` returns null for invalid text. */
const readable = <T>(fallback: string, rule: string, read: (given: string) => T | null) =>
  z
    .string()
    .default(fallback)
    .transform((given, context): T => {
      const found = read(given);
      if (found !== null) return found;
      context.issues.push({ code: 'custom', message: rule, input: given });
      return z.NEVER;
    });

/** Every variable that the product reads. `.env.example` lists the same variables; a test compares both. */
export const variables = {
  NODE_ENV: oneOf(['development', 'production', 'test'], 'development'),
  PORT: wholeNumber(0, 65_535, 4_000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: url('https://loyalty.example.com').optional(),
  DATABASE_URL: url('postgres://user:password@host:5432/database', /^postgres(ql)?$/).optional(),
  DATABASE_REPLICA_URL: url('postgres://user:password@host:5432/database', /^postgres(ql)?$/).optional(),
  DATABASE_REPLICA_LAG_SECONDS: wholeNumber(1, 300, 5),
  DATABASE_POOL_SIZE: wholeNumberIfGiven(2, 1_000),
  DATABASE_JOB_POOL_SIZE: wholeNumberIfGiven(2, 1_000),
  LOYALTY_DATA_DIR: text.optional(),
  LOYALTY_MASTER_KEYS: text.optional(),
  LOYALTY_DEMO: flag(true),
  REDIS_URL: url('redis://host:6379', /^rediss?$/).optional(),
  MAIL_URL: url('smtps://user:password@host:465', /^smtps?$/).optional(),
  MAIL_FROM: text.default('Loyalty Platform <no-reply@loyalty.invalid>'),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  REGISTRATIONS_PER_HOUR: wholeNumber(1, 1_000_000, 20),
  TRIAL_NEEDS_CONFIRMED_EMAIL: flag(false),
  TRUST_PROXY: readable(
    '0',
    'the number of proxies in front, such as 1, or their networks, such as 10.0.0.0/8 or loopback',
    readTrustedProxies,
  ),
  CORS_ORIGINS: readable('', 'a list of origins such as https://shop.example.com', readOrigins),
  METRICS_TOKEN: z.string().min(16, { error: 'a secret of at least 16 characters' }).optional(),
  ACCESS_LOG: flag(false),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 60_000, 0),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  GATEWAY_URL: url('http://127.0.0.1:4000').default('http://127.0.0.1:4000'),
  WORKSPACE_URL: url('http://127.0.0.1:4001').default('http://127.0.0.1:4001'),
  LOYALTY_URL: url('http://127.0.0.1:4002').default('http://127.0.0.1:4002'),
  COMMERCE_URL: url('http://127.0.0.1:4003').default('http://127.0.0.1:4003'),
  ENGAGEMENT_URL: url('http://127.0.0.1:4004').default('http://127.0.0.1:4004'),
  MODEL_URL: url('http://127.0.0.1:4005').default('http://127.0.0.1:4005'),
  MODEL_URL_SCORE: url('http://127.0.0.1:4007').optional(),
  MODEL_SCORE_TIMEOUT_MS: wholeNumber(100, 60_000, 5_000),
  MODEL_SCORE_CONNECT_TIMEOUT_MS: wholeNumber(50, 60_000, 1_000),
  SUBGRAPH_TIMEOUT_MS: wholeNumber(100, 60_000, 5_000),
  SUBGRAPH_ANSWER_BYTES_MAX: wholeNumber(65_536, 268_435_456, 33_554_432),
  GATEWAY_ENGINE: oneOf(['compiled', 'apollo'], 'compiled'),
  GRAPHQL_SAFELIST: text.optional(),
  AGENT_MODEL_URL: url('https://models.example.com/v1').optional(),
  AGENT_MODEL_KEY: text.optional(),
  AGENT_MODEL_PRICES: readable(
    '',
    'a list name=input/output of US dollars per million tokens, such as small=0.25/2,large=3/15',
    readPrices,
  ),
  AGENT_MODEL_TIMEOUT_MS: wholeNumber(100, 600_000, 60_000),
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_API_URL: url('https://api.stripe.com').default('https://api.stripe.com'),
  CALL_LOG_DAYS: wholeNumber(1, 3_650, 30),
  BULK_CALLS_PER_SECOND: wholeNumber(1, 100, 2),
  OUTBOX_DAYS: wholeNumber(1, 365, 7),
  QUEUE_DAYS: wholeNumber(1, 365, 3),
  HISTORY_DAYS: wholeNumber(7, 3_650, 90),
  IMPORT_FILE_DAYS: wholeNumber(1, 365, 7),
  RESERVATION_DAYS: wholeNumber(1, 3_650, 30),
  WEBHOOK_LOG_DAYS: wholeNumber(1, 3_650, 30),
  MESSAGE_LOG_DAYS: wholeNumber(1, 3_650, 90),
  TRACKING_DAYS: wholeNumber(1, 3_650, 400),
  JOURNEY_RUN_DAYS: wholeNumber(1, 3_650, 400),
  AGENT_RUN_DAYS: wholeNumber(1, 3_650, 90),
  SUBSCRIPTION_CREDITS_PER_MONTH: wholeNumber(0, 1_000_000_000, 0),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http://collector:4318').optional(),
} as const;

/** US dollars per million tokens of a model, which equals millionths of a dollar per token. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** `small=0.25/2,large=3/15` */
function readPrices(list: string): ReadonlyMap<string, ModelPrice> | null {
  const prices = new Map<string, ModelPrice>();
  for (const part of list.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [, name, input, output] = /^([^=,\s]{1,100})=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(part) ?? [];
    if (!name) return null;
    prices.set(name, { input: Number(input), output: Number(output) });
  }
  return prices;
}

/**
 * Comma-separated origins in the form that browsers send. A path or a wildcard is invalid, because it would
 * never match.
 */
function readOrigins(list: string): readonly string[] | null {
  const origins = list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const isOrigin = (text: string) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
  return origins.every(isOrigin) ? origins : null;
}

const schema = z.object(variables);
const bareSchema = schema.pick({
  PORT: true,
  HOST: true,
  LOG_LEVEL: true,
  SHUTDOWN_DELAY_MS: true,
  SUBGRAPH_TIMEOUT_MS: true,
  SUBGRAPH_ANSWER_BYTES_MAX: true,
});

export type Config = Omit<z.infer<typeof schema>, 'LOYALTY_MASTER_KEYS' | 'LOYALTY_DATA_DIR'> & {
  readonly dataDir: string;
  readonly masterKeys: readonly MasterKey[];
  readonly isProduction: boolean;
};

/**
 * Reads and checks the environment, once, at the start of a process.
 *
 * @param dataDir - the default for LOYALTY_DATA_DIR
 * @param required - settings that production must have
 * @throws ConfigError with one sentence that names the variable
 */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  required: readonly RequiredSetting[] = requiredSettings,
): Config {
  const { LOYALTY_MASTER_KEYS, LOYALTY_DATA_DIR, ...rest } = read(schema, env);
  const isProduction = rest.NODE_ENV === 'production';
  if (isProduction) requireForProduction({ ...rest, LOYALTY_MASTER_KEYS }, required);
  // With only one of them, payments would be accepted but never recorded.
  requireWith(rest, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET');
  requireWith(rest, 'STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY');
  // Lists show callers their own writes, so all processes must share the last writes.
  requireWith(rest, 'DATABASE_REPLICA_URL', 'REDIS_URL');
  // Without prices, budgets could not be enforced.
  requireWith(
    { ...rest, AGENT_MODEL_PRICES: rest.AGENT_MODEL_PRICES.size > 0 },
    'AGENT_MODEL_URL',
    'AGENT_MODEL_PRICES',
  );
  const directory = LOYALTY_DATA_DIR ?? dataDir;
  return {
    ...rest,
    isProduction,
    // The password of the demo is public, so production never runs the demo.
    LOYALTY_DEMO: rest.LOYALTY_DEMO && !isProduction,
    dataDir: directory,
    masterKeys: LOYALTY_MASTER_KEYS ? parseMasterKeys(LOYALTY_MASTER_KEYS) : [developmentKey(directory)],
  };
}

/** Reads the settings of a process without data or secrets. @throws ConfigError */
export const loadBareConfig = (env: NodeJS.ProcessEnv): z.infer<typeof bareSchema> => read(bareSchema, env);

function read<Shape extends z.ZodObject>(shape: Shape, env: NodeJS.ProcessEnv): z.infer<Shape> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name in variables && value !== ''),
  );
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(`Set ${issue?.path.join('.')} to ${issue?.message}.`);
}

/** The settings that production must have, and the required value. */
const productionAdvice = {
  LOYALTY_MASTER_KEYS:
    'a list id:base64 of 32-byte keys, current first; make one with `npx loyalty keys new`',
  DATABASE_URL: 'the address of a PostgreSQL 15 or newer',
  MAIL_URL: 'the address of an SMTP server, smtps://user:password@host, for password resets and invitations',
  PUBLIC_URL: 'the address that users open, for links in messages',
} as const;

type RequiredSetting = keyof typeof productionAdvice;
const requiredSettings = Object.keys(productionAdvice) as RequiredSetting[];

function requireForProduction(settings: Record<string, unknown>, required: readonly RequiredSetting[]): void {
  const missing = required.find((name) => !settings[name]);
  if (missing) throw new ConfigError(`Set ${missing} in production: ${productionAdvice[missing]}.`);
}

function requireWith(settings: Record<string, unknown>, present: string, needed: string): void {
  if (settings[present] && !settings[needed])
    throw new ConfigError(`Set ${needed}, too: ${present} is set and needs it.`);
}

/** A random key of 32 bytes always has more distinct bytes; a key with fewer is a placeholder. */
const DISTINCT_BYTES_MIN = 10;

function parseMasterKeys(list: string): MasterKey[] {
  return list.split(',').map((part) => {
    const [id, encoded] = part.trim().split(':');
    const key = Buffer.from(encoded ?? '', 'base64');
    if (!id || key.length !== 32) {
      throw new ConfigError('Set LOYALTY_MASTER_KEYS to a list id:base64 of 32-byte keys, current first.');
    }
    if (new Set(key).size < DISTINCT_BYTES_MIN) {
      throw new ConfigError('Set LOYALTY_MASTER_KEYS to random keys: make one with `npx loyalty keys new`.');
    }
    return { id, key };
  });
}

/** Outside production, a key is generated once and kept beside the embedded database. */
function developmentKey(dataDir: string): MasterKey {
  const file = join(dataDir, 'master.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return { id: 'development', key: Buffer.from(readFileSync(file, 'utf8'), 'base64') };
}
