import { fileURLToPath } from 'node:url';
import { type Served, serve } from './processes.ts';

export const gatewayNames = ['ours', 'apollo', 'mercurius', 'hive'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** How a gateway reaches the subgraphs. */
export type Way = 'http' | 'in-process';

/** Mercurius reaches subgraphs by address only. */
export const runs = (name: GatewayName, way: Way): boolean => way === 'http' || name !== 'mercurius';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts a gateway over the supergraph in `file`; ours over HTTP is the very command that users run. */
export function startGateway(
  name: GatewayName,
  way: Way,
  file: string,
  subgraphsPort: number,
): Promise<Served> {
  if (name === 'ours' && way === 'http') {
    const command = ['serve', 'gateway', '--supergraph', file, '--open', '--port'];
    return serve(`${root}cli/src/main.ts`, (port) => [...command, String(port)], root);
  }
  return serve(pathOf(`./gateways/${name}.ts`), (port) => [file, String(subgraphsPort), String(port), way]);
}
