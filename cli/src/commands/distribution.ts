import { distributionStatements } from '@loyalty/prisma/distribution';
import { sharedEnvironment } from '../environment.ts';

/**
 * Prints the statements that distribute the database, for `psql` on a Citus coordinator. Changes nothing.
 *
 * @throws ConfigError without DATABASE_URL
 */
export async function distribution(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const { config } = sharedEnvironment(env);
  for (const statement of await distributionStatements(config.DATABASE_URL)) say(statement);
}
