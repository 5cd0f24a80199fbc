import { distributionStatements } from '@loyalty/prisma/distribution';
import { sharedEnvironment } from '../environment.ts';

/**
 * Prints what `psql` is to run on a Citus coordinator; changes nothing.
 *
 * @throws ConfigError without DATABASE_URL
 */
export async function distribution(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const { config } = sharedEnvironment(env);
  for (const statement of await distributionStatements(config.DATABASE_URL)) say(statement);
}
