import type { SubgraphName } from '../base/subgraph-name.ts';
import type { Config } from '../config/config.ts';
import { deriveSecret } from '../crypto/keyring.ts';
import type { SigningSecrets } from './caller-token.ts';

/** Secrets with which gateway and subgraphs sign and verify callers. */
export const callerSecrets = (config: Config): SigningSecrets =>
  new Map(deriveSecret(config.masterKeys, 'caller').map(({ id, secret }) => [id, secret]));

/** URL of a subgraph that runs as a separate process. */
export const subgraphUrl = (config: Config, name: SubgraphName): string =>
  config[`${name.toUpperCase() as Uppercase<SubgraphName>}_URL`];
