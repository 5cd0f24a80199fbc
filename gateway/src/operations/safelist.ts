import { readFileSync } from 'node:fs';
import { ConfigError } from '@loyalty/platform/config/config';
import { z } from 'zod';

/** A list of the only operations that may run at `/graphql`. */
export interface Safelist {
  /** Texts by the id that clients send instead. */
  readonly texts: ReadonlyMap<string, string>;
  has(text: string): boolean;
}

/** The format of `persistedDocuments` of the codegen client preset. */
const codegenManifest = z.record(z.string(), z.string());
/** The format of Apollo's manifest generator. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  operations: z.array(z.object({ id: z.string(), body: z.string() })),
});

/**
 * Reads a manifest of persisted operations.
 *
 * @throws ConfigError if the file is missing, is not a manifest, or lists no operation
 */
export function readSafelist(file: string): Safelist {
  const texts = new Map(entriesOf(parseFile(file)));
  if (texts.size === 0) throw badManifest(`${file} is no manifest of persisted operations, or an empty one`);
  const known = new Set(texts.values());
  return { texts, has: (text) => known.has(text) };
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw badManifest(isMissing ? `there is no ${file}` : `${file} is not JSON`);
  }
}

function entriesOf(manifest: unknown): [string, string][] {
  const apollo = apolloManifest.safeParse(manifest);
  if (apollo.success) return apollo.data.operations.map(({ id, body }) => [id, body]);
  // The file claims to have Apollo's format but is invalid.
  if (Object.hasOwn(Object(manifest), 'format')) return [];
  const codegen = codegenManifest.safeParse(manifest);
  return codegen.success ? Object.entries(codegen.data) : [];
}

const badManifest = (problem: string): ConfigError =>
  new ConfigError(`Set GRAPHQL_SAFELIST to a manifest {hash: document}: ${problem}.`);
