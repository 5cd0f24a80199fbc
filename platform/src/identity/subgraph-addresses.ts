import type { SubgraphName } from '../base/subgraph-name.ts';
import type { Config } from '../config/config.ts';
import { deriveSecret } from '../crypto/keyring.ts';
import type { SigningSecrets } from './caller-token.ts';

/** What gateway and subgraphs sign and check the caller with. */
export const callerSecrets = (config: Config): SigningSecrets =>
  new Map(deriveSecret(config.masterKeys, 'caller').map(({ id, secret }) => [id, secret]));

/** Where a subgraph listens when it is a process of its own. */
export const subgraphUrl = (config: Config, name: SubgraphName): string =>
  config[`${name.toUpperCase() as Uppercase<SubgraphName>}_URL`];
