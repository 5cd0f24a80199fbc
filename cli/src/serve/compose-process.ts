import { createGateway, type Gateway } from '@loyalty/gateway/gateway';
import { withBreaker } from '@loyalty/gateway/transport/breaker';
import { overHttp } from '@loyalty/gateway/transport/http-transport';
import { inProcess, type Transport, type Transports } from '@loyalty/gateway/transport/transport';
import { memberCookie } from '@loyalty/platform/caller/member-cookie';
import type { Services } from '@loyalty/platform/context';
import { callerSecrets, subgraphUrl } from '@loyalty/platform/graph/subgraph-addresses';
import type { SubgraphName } from '@loyalty/platform/graph/subgraph-name';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import { docs } from '@loyalty/rest-adapter/openapi/docs';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { mailLinks } from '../mail-links/mail-links.ts';
import { mailbox } from '../pages/mailbox/mailbox.ts';
import { pages } from '../pages/pages.ts';
import { subgraphs } from '../subgraphs.ts';
import { tracking } from '../tracking/tracking.ts';

const names = Object.keys(subgraphs) as SubgraphName[];
type OurTransports = Transports<SubgraphName>;
const transports = (make: (name: SubgraphName) => Transport): OurTransports =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as OurTransports;

/** Every subgraph called directly. */
export const localTransports = (services: Services): OurTransports =>
  transports((name) => inProcess(subgraphs[name], services));

/** Every subgraph in a process of its own. */
export const remoteTransports = (services: Services): OurTransports =>
  transports((name) => {
    const { config } = services;
    const url = `${subgraphUrl(config, name)}/graphql`;
    const secrets = callerSecrets(config);
    const transport = overHttp({
      name,
      url,
      timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
      answerBytesMax: config.SUBGRAPH_ANSWER_BYTES_MAX,
      secrets,
      ...services,
    });
    return withBreaker(name, transport, services);
  });

/** The gateway with REST and the pages on the same origin. */
export async function composeGateway(services: Services, to: OurTransports): Promise<Gateway> {
  const gateway = await createGateway(services, to);
  const { graph, app, admission } = gateway;
  const { schema, access } = graph.supergraph;
  services.metrics.knowOperations([
    ...rows.map(({ method, path }) => `${method} ${path}`),
    ...rows.map(({ document }) => /\b(?:query|mutation)\s+(\w+)/.exec(document)?.[1] ?? 'other'),
    'POST /t',
    'anonymous operation',
  ]);
  const table = { rows, schema, access };
  await app.register(namedPlugin(docs), table);
  const cookie = memberCookie(services.config);
  await app.register(namedPlugin(pages), { graph, memberCookie: cookie });
  await app.register(namedPlugin(mailLinks), { graph, services });
  if (!services.config.isProduction) await app.register(namedPlugin(mailbox));
  await app.register(namedPlugin(tracking), { graph, admission });
  await app.register(namedPlugin(restAdapter), {
    ...table,
    memberCookie: cookie,
    graph: { execute: (operation, request) => graph.execute(operation, request.graphRequest()) },
  });
  return gateway;
}
