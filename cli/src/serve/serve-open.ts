import { existsSync, readFileSync } from 'node:fs';
import { createOpenGateway, type OpenGateway } from '@loyalty/gateway/open-gateway';
import { followSubgraphs } from '@loyalty/gateway/supergraph/introspect';
import { withBreaker } from '@loyalty/gateway/transport/breaker';
import { overHttp } from '@loyalty/gateway/transport/http-transport';
import { ConfigError, loadBareConfig } from '@loyalty/platform/config/config';
import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { createLog, type Log } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { listen } from './listen.ts';

export interface OpenOptions {
  /** File of a composed supergraph. */
  readonly supergraph?: string;
  /** `name=url`: replaces the address of a subgraph in the supergraph. */
  readonly subgraph: readonly string[];
  /** `name=url` of the running subgraphs that are composed. */
  readonly introspect: readonly string[];
  readonly pollMs: number;
}

type Open = (supergraphSdl: string) => Promise<OpenGateway>;
type Opened = { readonly gateway: OpenGateway; readonly stop: () => Promise<void> };

/** Serves a gateway for any subgraphs, without credentials: everyone who can reach its port may use it. */
export async function serveOpenGateway(
  env: NodeJS.ProcessEnv,
  options: OpenOptions,
  say: (line: string) => void,
): Promise<void> {
  const config = loadBareConfig(env);
  const log = createLog({ level: config.LOG_LEVEL, name: 'gateway' });
  const metrics = createMetrics();
  const urls = addressesOf('--subgraph', options.subgraph);
  const connect = (name: string, declared: string) => {
    const url = urls.get(name) ?? declared;
    const transport = overHttp({
      name,
      url,
      timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
      answerBytesMax: config.SUBGRAPH_ANSWER_BYTES_MAX,
      log,
      metrics,
    });
    return withBreaker(name, transport, { log, metrics });
  };
  const open: Open = (supergraphSdl) => createOpenGateway({ supergraphSdl, connect, log, metrics });
  const { gateway, stop } = options.supergraph
    ? { gateway: await fromFile(options.supergraph, open), stop: async () => {} }
    : await fromSubgraphs(options, log, open);
  const delayMs = config.SHUTDOWN_DELAY_MS;
  stopOnSignal(log, [() => gateway.app.withdraw(delayMs), stop, () => gateway.close()], delayMs);
  say(`gateway ready on ${await listen(gateway.app, config)}`);
}

async function fromFile(file: string, open: Open): Promise<OpenGateway> {
  if (!existsSync(file)) throw new ConfigError(`There is no supergraph at ${file}.`);
  try {
    return await open(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file} is no supergraph that can be served: ${(error as Error).message}`);
  }
}

async function fromSubgraphs({ introspect, pollMs }: OpenOptions, log: Log, open: Open): Promise<Opened> {
  const subgraphs = [...addressesOf('--introspect', introspect)].map(([name, url]) => ({ name, url }));
  if (subgraphs.length === 0) {
    throw new ConfigError('Say what to serve: --supergraph <file>, or --introspect <name=url> per subgraph.');
  }
  let gateway: OpenGateway | undefined;
  try {
    const followed = await followSubgraphs(subgraphs, pollMs, log, (sdl) => gateway?.replace(sdl));
    gateway = await open(followed.supergraphSdl);
    return { gateway, stop: followed.stop };
  } catch (error) {
    throw new ConfigError(`These subgraphs cannot be served as one: ${(error as Error).message}`);
  }
}

function addressesOf(option: string, pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [name = '', url = ''] = pair.split(/=(.*)/s);
      if (!name || !URL.canParse(url)) {
        throw new ConfigError(`${option} takes name=url, such as products=http://127.0.0.1:5001/graphql.`);
      }
      return [name, url];
    }),
  );
}
