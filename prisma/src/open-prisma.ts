import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { PrismaClient } from '../generated/client.ts';
import { publishStatement, statementName, traceStatement } from './statements.ts';

/** Prisma's client over a pool, loaded when it is first asked for. */
export function openPrisma(pool: pg.Pool): { load(): Promise<PrismaClient>; close(): Promise<void> } {
  let loading: Promise<PrismaClient> | null = null;
  return {
    load() {
      loading ??= createClient(pool);
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
    // It would begin and end on its own connection, or end the transaction around it.
    connected.startTransaction = () =>
      Promise.reject(new Error('Use ctx.transaction, and one table a call.'));
    return connected;
  };
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/** The same, with every statement shown to who traces statements. */
function traced<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const { queryRaw, executeRaw } = queryable;
  queryable.queryRaw = (query) => traceStatement(query.sql, () => queryRaw.call(queryable, query));
  queryable.executeRaw = (query) => traceStatement(query.sql, () => executeRaw.call(queryable, query));
  return queryable;
}
