import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { boundBodies } from '@loyalty/platform/http/request-bodies';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import type { mcp } from '@loyalty/rest-adapter/mcp/mcp';
import { remoteGraph } from '@loyalty/rest-adapter/remote-graph';
import { rows } from '@loyalty/rest-adapter/table/rows';
import fastify from 'fastify';
import { clientOf } from '../../harness/client.ts';
import type { Stack } from '../../harness/stack.ts';

/** Every scope that an integration of the model API may hold. */
export const v1Scopes = [
  'predictions:read',
  'decisions:read',
  'decisions:write',
  'model:data:read',
  'model:data:write',
  'model:training:read',
  'model:training:write',
  'model:training:review',
  'model:bulk:read',
  'model:bulk:write',
];

export interface ModelTenant {
  readonly workspaceId: string;
  /** The token of the workspace's owner. */
  readonly token: string;
  /** A live key with every v1 scope. */
  readonly key: string;
  /** A live key of the v2 API. */
  readonly v2Key: string;
}

/** A workspace with a key for each API. */
export async function modelTenant(stack: Stack): Promise<ModelTenant> {
  const { token, workspaceId } = await stack.signUp();
  const { secret: key } = await stack.key(token, v1Scopes);
  const { secret: v2Key } = await stack.key(token);
  return { workspaceId, token, key, v2Key };
}

/**
 * Starts a REST adapter in a process of its own, as `serve rest-adapter` does, in front of the stack's
 * gateway.
 */
export async function remoteAdapter(
  stack: Stack,
  ...plugins: readonly (typeof mcp)[]
): Promise<{
  readonly url: string;
  readonly rest: Stack['rest'];
  close(): Promise<void>;
}> {
  const graph = remoteGraph(
    stack.url,
    20_000,
    callerSecrets(stack.services.config),
    memberCookie(stack.services.config),
  );
  const app = fastify();
  app.decorateRequest('refused', null);
  app.decorateRequest('address', '127.0.0.1');
  boundBodies(app);
  const { schema, access } = committedSupergraph();
  const table = { rows, schema, access };
  await app.register(namedPlugin(restAdapter), {
    ...table,
    graph,
    memberCookie: memberCookie(stack.services.config),
  });
  for (const plugin of plugins)
    await app.register(namedPlugin(plugin), { ...table, graph, config: stack.services.config });
  const { rest, url } = clientOf(await app.listen({ port: 0, host: '127.0.0.1' }));
  return {
    url,
    rest,
    async close() {
      await app.close();
      await graph.close();
    },
  };
}
