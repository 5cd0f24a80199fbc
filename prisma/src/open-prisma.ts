import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Prisma, PrismaClient } from '../generated/client.ts';
import { prismaRequests } from './cancellable-pool.ts';
import { argsInScope, type TenantScope } from './scoped-prisma.ts';
import { publishStatement, statementName, traceStatement } from './statements.ts';

/** Prisma's client over a pool, loaded at its first use. */
export function openPrisma(pool: pg.Pool): { load(): Promise<object>; close(): Promise<void> } {
  let loading: ReturnType<typeof scopedClient> | null = null;
  return {
    load() {
      loading ??= createClient(pool).then(scopedClient);
      return loading;
    },
    async close() {
      await (await loading)?.$disconnect();
    },
  };
}

async function createClient(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../generated/client.ts'),
  ]);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator({ sql }) {
      publishStatement(sql);
      return statementName(sql);
    },
  });
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => {
    const connected = traced(await connect());
    // It would begin and end on another connection, or end the surrounding transaction.
    connected.startTransaction = () =>
      Promise.reject(new Error('Use ctx.transaction, and one table a call.'));
    return connected;
  };
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/** Returns the client with operations that have the workspace and mode of the current request. */
async function scopedClient(client: PrismaClient) {
  const { Prisma } = await import('../generated/client.ts');
  const fieldsOf = (model: Prisma.ModelName): readonly (keyof TenantScope)[] =>
    (['workspaceId', 'mode'] as const).filter((field) => field in Prisma[`${model}ScalarFieldEnum`]);
  const tenantFields = new Map(Object.values(Prisma.ModelName).map((model) => [model, fieldsOf(model)]));
  return client.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          const { scope } = prismaRequests.getStore()!;
          return query(argsInScope(operation, args, scope, tenantFields.get(model)!));
        },
      },
    },
  });
}

/** Returns a queryable that publishes every statement for tracing, and locks rows where requested. */
function traced<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const { queryRaw, executeRaw } = queryable;
  queryable.queryRaw = (query) => {
    const sent = prismaRequests.getStore()!.isLocking ? { ...query, sql: `${query.sql} FOR UPDATE` } : query;
    return traceStatement(sent.sql, () => queryRaw.call(queryable, sent));
  };
  queryable.executeRaw = (query) => traceStatement(query.sql, () => executeRaw.call(queryable, query));
  return queryable;
}
