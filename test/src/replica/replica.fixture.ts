import { randomBytes } from 'node:crypto';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { createDatabase } from '@loyalty/prisma/client';
import { type Client, clientOf } from '../harness/client.ts';
import type { ReplicatedDatabase } from '../harness/database/standby.ts';
import { eventually } from '../harness/eventually.ts';

const masterKeys = `test:${randomBytes(32).toString('base64')}`;

/** Settings of every process that uses the primary and the replica. */
export const replicaSettings = ({ url, replicaUrl }: ReplicatedDatabase): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: url,
  DATABASE_REPLICA_URL: replicaUrl,
  REDIS_URL: process.env['REDIS_URL']!,
  LOYALTY_MASTER_KEYS: masterKeys,
  LOYALTY_DEMO: '0',
});

/** The product with its own connections to both servers and Redis, like a process of its own. */
export interface Product extends Client {
  readonly services: Services;
  /** The statements that the primary received. A test empties the array to begin a new count. */
  readonly statements: string[];
  /** The number of list statements so far, by the server that answered them. */
  reads(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export async function openProduct(database: ReplicatedDatabase, lagSeconds: number): Promise<Product> {
  const env = { ...replicaSettings(database), DATABASE_REPLICA_LAG_SECONDS: String(lagSeconds) };
  const config = { ...loadConfig(env, '/nowhere'), DATABASE_URL: database.url };
  const statements: string[] = [];
  const services = await createServices(config, 'test', {
    database: createDatabase({ url: database.url, onStatement: (text) => statements.push(text) }),
    peers: localPeers(subgraphs),
  });
  const gateway = await composeGateway(services, localTransports(services));
  return {
    ...clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' })),
    services,
    statements,
    async reads() {
      const { values } = await services.metrics.listReadsTotal.get();
      return Object.fromEntries(values.map(({ labels, value }) => [String(labels.source), value]));
    },
    async close() {
      await gateway.close();
      await services.close();
    },
  };
}

/** The credentials of an account and of a key of its workspace: two callers who see the same stores. */
export interface Callers {
  readonly user: string;
  readonly key: string;
}

let people = 0;

export async function signUp({ rest, graph }: Client): Promise<Callers> {
  people += 1;
  const body = { email: `owner.${process.pid}.${people}@example.com`, password: 'a long password' };
  await rest('POST', '/api/v2/auth/register', { body: { ...body, name: 'Ada' } });
  const { token } = (await rest('POST', '/api/v2/auth/login', { body })).body;
  const { data } = await graph<{ createApiKey: { secret: string } }>(
    `mutation { createApiKey(input: {name: "till", scopes: ["stores:read", "members:read", "members:write"],
                                     mode: LIVE}) { secret } }`,
    {},
    token,
  );
  return { user: token, key: data.createApiKey.secret };
}

export async function createStore({ graph }: Client, name: string, as: string): Promise<string> {
  const { data } = await graph<{ createStore: { id: string } }>(
    'mutation ($name: String!) { createStore(input: {name: $name, address: "Rua 1, Porto"}) { id } }',
    { name },
    as,
  );
  return data.createStore.id;
}

/** The names of the stores that a caller sees, and their number. */
export async function storesOf({ graph }: Client, as: string): Promise<string[]> {
  const { data, errors } = await graph<{ stores: { nodes: { name: string }[]; totalCount: number } }>(
    '{ stores { nodes { name } totalCount } }',
    {},
    as,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  const names = data.stores.nodes.map(({ name }) => name);
  if (names.length !== data.stores.totalCount) throw new Error(`${data.stores.totalCount} are counted`);
  return names;
}

/** Waits until the lists of a caller are read from the replica. */
export const readsReplica = (product: Product, as: string): Promise<void> =>
  eventually(async () => {
    const { replica: before = 0 } = await product.reads();
    await storesOf(product, as);
    const { replica: after = 0 } = await product.reads();
    if (after !== before + 2) throw new Error(JSON.stringify(await product.reads()));
  });
