import { readFileSync } from 'node:fs';

/** How every gateway of the bench is started: `FILE SUBGRAPHS_PORT PORT http|in-process`. */
const [file = '', subgraphsPort = '', port = '', way = ''] = process.argv.slice(2);

export const start = {
  supergraphSdl: readFileSync(file, 'utf8'),
  /** Port of the process that serves all subgraphs. */
  subgraphsPort: Number(subgraphsPort),
  port: Number(port),
  isInProcess: way === 'in-process',
};
