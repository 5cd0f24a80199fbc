import { randomBytes } from 'node:crypto';

/** Settings that every process of one deployment shares. */
export const environmentOf = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
  LOYALTY_DEMO: '0',
});
