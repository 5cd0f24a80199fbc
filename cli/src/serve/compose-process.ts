import { backOffice } from '@loyalty/back-office/page';
import { sessionRoutes } from '@loyalty/back-office/session-routes';
import { imageLinks } from '@loyalty/commerce-subgraph/receipts/receipt-image';
import { readToken } from '@loyalty/engagement-subgraph/links/link-tokens';
import { createGateway, type Gateway } from '@loyalty/gateway/gateway';
import { withBreaker } from '@loyalty/gateway/transport/breaker';
import { overHttp } from '@loyalty/gateway/transport/http-transport';
import type { Transports } from '@loyalty/gateway/transport/transport';
import { type SubgraphName, subgraphNames } from '@loyalty/platform/base/subgraph-name';
import type { Services } from '@loyalty/platform/context';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { memberCookie, userCookie } from '@loyalty/platform/identity/session-cookie';
import { callerSecrets, subgraphUrl } from '@loyalty/platform/identity/subgraph-addresses';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import type { GraphClient } from '@loyalty/rest-adapter/graph-client';
import { mcp, mcpOperations } from '@loyalty/rest-adapter/mcp/mcp';
import { openApi } from '@loyalty/rest-adapter/openapi/openapi';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { downloads } from '@loyalty/web/downloads/downloads';
import { mailLinks } from '@loyalty/web/mail-links/mail-links';
import { mailbox } from '@loyalty/web/mailbox/mailbox';
import { pages } from '@loyalty/web/pages/pages';
import { graphReference } from '@loyalty/web/references/graph-reference';
import { overview } from '@loyalty/web/references/overview';
import { restReference } from '@loyalty/web/references/rest-reference';
import { site } from '@loyalty/web/site/site';
import { tracking } from '@loyalty/web/tracking/tracking';
import { demo as demoData } from '../seed/seed-data.ts';

type OurTransports = Transports<SubgraphName>;

/** Returns transports that call subgraphs in other processes. */
export function remoteTransports(services: Services): OurTransports {
  const { config } = services;
  const secrets = callerSecrets(config);
  const to = (name: SubgraphName) => {
    const transport = overHttp({
      name,
      url: `${subgraphUrl(config, name)}/graphql`,
      timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
      answerBytesMax: config.SUBGRAPH_ANSWER_BYTES_MAX,
      secrets,
      ...services,
    });
    return withBreaker(name, transport, services);
  };
  return Object.fromEntries(subgraphNames.map((name) => [name, to(name)])) as OurTransports;
}

/** Creates the gateway, with REST, MCP and the pages on the same origin. */
export async function composeGateway(services: Services, to: OurTransports): Promise<Gateway> {
  const gateway = await createGateway(services, to);
  const { graph, app, admission } = gateway;
  const { schema, access } = graph.supergraph;
  services.metrics.knowOperations([
    ...rows.map(({ method, path }) => `${method} ${path}`),
    ...rows.map(({ document }) => /\b(?:query|mutation)\s+(\w+)/.exec(document)?.[1] ?? 'other'),
    ...mcpOperations({ rows }),
    'POST /t',
    'anonymous operation',
  ]);
  const table = { rows, schema, access, url: services.config.PUBLIC_URL };
  const demo = services.config.LOYALTY_DEMO ? demoData.account : null;
  const documents = { v1: openApi('v1', table), v2: openApi('v2', table) };
  const address = publicUrl(services.config);
  await app.register(namedPlugin(restReference), { documents, demo, address });
  await app.register(namedPlugin(site));
  await app.register(namedPlugin(overview), { address });
  await app.register(namedPlugin(graphReference), { shown: () => graph.supergraph });
  const cookie = memberCookie(services.config);
  await app.register(namedPlugin(pages), { graph, memberCookie: cookie });
  const user = userCookie(services.config);
  await app.register(namedPlugin(backOffice), { userCookie: user });
  await app.register(namedPlugin(sessionRoutes), { graph, userCookie: user });
  await app.register(namedPlugin(mailLinks), {
    ...{ graph, services },
    readToken: (token: string) => readToken(services.keyring, token),
  });
  await app.register(namedPlugin(downloads), { graph, services, imageLinks });
  if (!services.config.isProduction) await app.register(namedPlugin(mailbox));
  await app.register(namedPlugin(tracking), { graph, admission, clock: services.clock });
  const client: GraphClient = {
    execute: (operation, request) => graph.execute(operation, request.graphRequest()),
  };
  await app.register(namedPlugin(restAdapter), { ...table, memberCookie: cookie, graph: client });
  await app.register(namedPlugin(mcp), { ...table, graph: client, config: services.config });
  return gateway;
}
