import { availableParallelism } from 'node:os';
import { type ProcessPart, poolSizes } from '@loyalty/platform/config/pool-sizes';
import { serverConnections } from '@loyalty/prisma/server-connections';
import type { ConnectedConfig } from './environment.ts';

/** Sets the pool sizes that are not configured, according to this machine and its database server. */
export async function withPoolSizes(config: ConnectedConfig, part: ProcessPart): Promise<ConnectedConfig> {
  const { DATABASE_POOL_SIZE, DATABASE_JOB_POOL_SIZE } = config;
  if (DATABASE_POOL_SIZE && DATABASE_JOB_POOL_SIZE) return config;
  const connections = await serverConnections(config.DATABASE_URL);
  const { requests, jobs } = poolSizes(part, { cores: availableParallelism(), connections });
  return {
    ...config,
    DATABASE_POOL_SIZE: DATABASE_POOL_SIZE ?? requests,
    DATABASE_JOB_POOL_SIZE: DATABASE_JOB_POOL_SIZE ?? jobs,
  };
}
