import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../harness/eventually.ts';
import { allOrNone, type Process, startProcess } from '../processes/processes.ts';
import { type ComposeService, composeServices } from './compose-file.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { type RunningProxy, startProxy } from './proxy.ts';

const START_MS = 120_000;

/**
 * The services of compose.yaml as processes behind the real proxy. Each replica has an address of its own.
 */
export interface Topology {
  /** The proxy's public address. */
  readonly url: string;
  /** The services with the environment of their processes. */
  readonly services: readonly ComposeService[];
  /**
   * Replaces one replica of each of these services, by its number: ends it with SIGTERM and starts a new one
   * at the same address. Resolves with the exit codes when the proxy uses the new replicas.
   */
  replace(names: readonly string[], replica: number): Promise<(number | null)[]>;
  /** The number of replicas of each service that get requests from the proxy. */
  up(): Promise<ReadonlyMap<string, number>>;
  /** Stops all replicas of a service for some time, as if they got no processor. */
  pause(name: string, ms: number): Promise<void>;
  /** What all processes have written. */
  output(): string;
  close(): Promise<void>;
}

/**
 * The addresses of PostgreSQL and Redis, which the topology does not start, and the variables of
 * compose.yaml.
 */
interface Given {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A replica of a service: one container in compose.yaml, one process here. */
interface Replica {
  readonly service: ComposeService;
  readonly address: string;
  process: Process;
}

/** Starts all processes. If one of them fails, the others are ended. */
export async function startTopology(given: Given): Promise<Topology> {
  const closers: (() => unknown)[] = [];
  const close = () => Promise.all(closers.map((each) => each())).then(() => undefined);
  try {
    return await startParts(given, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  given: Given,
  closers: (() => unknown)[],
  close: () => Promise<void>,
): Promise<Topology> {
  // Each topology has a network of its own, so that several run on one machine.
  const network = `127.${randomInt(2, 250)}.${randomInt(0, 250)}`;
  const proxyAddress = `${network}.250`;
  const services = composeServices(given.variables)
    .filter(({ command, isOptional }) => command[0] === 'serve' && !isOptional)
    .map((service) => ({ ...service, environment: environmentOf(service, proxyAddress, given) }));
  const names = await startNameServer(`${network}.251`);
  closers.push(names.close);
  const proxy = await startProxy({ LISTEN: proxyAddress, DNS: `${network}.251:${names.port}` });
  closers.push(proxy.stop);
  const replicas = await startReplicas(services, network, names);
  closers.push(...replicas.map((replica) => () => replica.process.end('SIGKILL')));
  const allUp = () => eventually(() => expectAllUp(proxy, services), START_MS);
  await allUp();

  let written = '';
  async function replaceOne(replica: Replica): Promise<number | null> {
    const { service, address } = replica;
    const code = await replica.process.end();
    written += replica.process.output();
    names.remove(service.name, address);
    replica.process = await startReplica(service, address);
    names.add(service.name, address);
    return code;
  }
  return {
    url: proxy.url,
    services,
    async replace(chosen, number) {
      const codes = await Promise.all(
        chosen.map((name) => replaceOne(replicas.filter(({ service }) => service.name === name)[number]!)),
      );
      await allUp();
      return codes;
    },
    up: proxy.up,
    pause: (name, ms) =>
      pause(
        replicas.filter(({ service }) => service.name === name),
        ms,
      ),
    output: () => written + replicas.map(({ process }) => process.output()).join(''),
    close,
  };
}

/** Throws while some replica gets no requests. */
async function expectAllUp(proxy: RunningProxy, services: readonly ComposeService[]): Promise<void> {
  const up = await proxy.up();
  for (const service of services.filter(({ name }) => name !== 'worker')) {
    if (up.get(service.name) !== service.replicas) throw new Error(`${service.name} is not all up yet`);
  }
}

async function pause(replicas: readonly Replica[], ms: number): Promise<void> {
  const paused = replicas.map((each) => each.process.pid);
  for (const pid of paused) process.kill(pid, 'SIGSTOP');
  await delay(ms);
  for (const pid of paused) process.kill(pid, 'SIGCONT');
}

/** The environment of a service, with addresses in place of the names of containers. */
function environmentOf(
  { environment }: ComposeService,
  proxyAddress: string,
  { databaseUrl, redisUrl }: Given,
): Record<string, string> {
  const addressed = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace('//proxy:', `//${proxyAddress}:`),
  ]);
  return { ...Object.fromEntries(addressed), DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}

async function startReplicas(
  services: readonly ComposeService[],
  network: string,
  names: NameServer,
): Promise<Replica[]> {
  const replicated = services.flatMap((service) => Array.from({ length: service.replicas }, () => service));
  const places = replicated.map((service, index) => ({ service, address: `${network}.${index + 1}` }));
  const processes = await allOrNone(
    places.map(async ({ service, address }) => {
      const process = await startReplica(service, address);
      names.add(service.name, address);
      return process;
    }),
  );
  return places.map((place, index) => ({ ...place, process: processes[index]! }));
}

const startReplica = ({ command, environment }: ComposeService, address: string): Promise<Process> =>
  startProcess(command, { ...environment, HOST: address }, Number(environment['PORT']));
