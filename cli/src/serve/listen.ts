import { type Config, ConfigError } from '@loyalty/platform/config/config';
import type { FastifyInstance } from 'fastify';

/**
 * Opens the port.
 *
 * @returns the address of the server
 * @throws ConfigError if the port is taken or not allowed, or if HOST is not an address of this machine
 */
export async function listen(
  app: FastifyInstance,
  { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>,
): Promise<string> {
  try {
    return await app.listen({ port: PORT, host: HOST });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${PORT} is taken: set PORT to a free one, or stop what listens there.`);
    if (code === 'EACCES')
      throw new ConfigError(`Port ${PORT} may not be opened by this user: set PORT above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`Set HOST to an address of this machine; ${HOST} is none.`);
    throw error;
  }
}
