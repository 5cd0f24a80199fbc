import { setTimeout as delay } from 'node:timers/promises';
import { GRAPHQL_HEADERS, resultOf } from '@loyalty/platform/graph/graphql-answer';
import type { Log } from '@loyalty/platform/observe/log';
import { createPoster } from '@loyalty/platform/outbound/http-post';
import { parse } from 'graphql';
import { composeSubgraphs } from './composition.ts';

const LIMITS = { timeoutMs: 10_000, answerBytesMax: 32 * 1024 * 1024 };
const SERVICE_DEFINITION = JSON.stringify({ query: '{ _service { sdl } }' });

interface SubgraphAddress {
  readonly name: string;
  readonly url: string;
}

/** The composed supergraph of running subgraphs. */
interface FollowedSupergraph {
  readonly supergraphSdl: string;
  /** Stops polling. */
  stop(): Promise<void>;
}

/**
 * Composes a supergraph from the schemas of running subgraphs, and again when one of them changes. Schemas
 * that do not compose are logged, and the last valid supergraph stays.
 *
 * @param onChange - called with every later supergraph
 * @throws Error if a subgraph is unavailable at the start, or the schemas do not compose
 */
export async function followSubgraphs(
  subgraphs: readonly SubgraphAddress[],
  pollMs: number,
  log: Log,
  onChange: (supergraphSdl: string) => void,
): Promise<FollowedSupergraph> {
  const sources = subgraphs.map((address) => ({ ...address, poster: createPoster(address.url, LIMITS) }));
  const stopping = new AbortController();
  const { signal } = stopping;
  const read = () => Promise.all(sources.map((source) => definitionOf(source, signal)));
  const close = async () => {
    stopping.abort();
    await Promise.all(sources.map(({ poster }) => poster.close()));
  };

  async function follow(first: Definition[]): Promise<void> {
    let known = first;
    while (!signal.aborted) {
      try {
        await delay(pollMs, undefined, { signal });
        const definitions = await read();
        if (isSame(definitions, known)) continue;
        known = definitions;
        onChange(composed(definitions));
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'the supergraph stays as it was');
      }
    }
  }

  try {
    const definitions = await read();
    const supergraphSdl = composed(definitions);
    const following = follow(definitions);
    return {
      supergraphSdl,
      async stop() {
        await close();
        await following;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Source = SubgraphAddress & { readonly poster: ReturnType<typeof createPoster> };
type Definition = SubgraphAddress & { readonly sdl: string };

async function definitionOf({ name, url, poster }: Source, signal: AbortSignal): Promise<Definition> {
  try {
    const { data, errors } = resultOf(await poster.post(SERVICE_DEFINITION, GRAPHQL_HEADERS, signal));
    const sdl = (data as { _service?: { sdl?: unknown } } | undefined)?._service?.sdl;
    if (typeof sdl !== 'string') throw new Error(errors?.[0]?.message ?? 'it has no _service { sdl }');
    return { name, url, sdl };
  } catch (error) {
    throw new Error(`${name} at ${url} does not say its schema: ${(error as Error).message}`);
  }
}

const isSame = (definitions: readonly Definition[], known: readonly Definition[]): boolean =>
  definitions.every(({ sdl }, index) => sdl === known[index]?.sdl);

const composed = (definitions: readonly Definition[]): string =>
  composeSubgraphs(definitions.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })));
