import type { ApolloServerPlugin } from '@apollo/server';
import { AppError, forbidden } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import type { Request } from '@loyalty/platform/context';
import type { Log } from '@loyalty/platform/observe/log';
import { graphQLErrorOf } from '../error-formatting.ts';
import { type KeptTexts, keptInMemory, keptInRedis } from './persisted-texts.ts';
import { readSafelist, type Safelist } from './safelist.ts';

/** The fields of a request that identify an operation: its text, or a hash of it. */
export interface SentOperation {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** Operations that clients identify by a hash of their text. */
export interface PersistedOperations {
  /** Cache for Apollo Server's `persistedQueries.cache`. */
  readonly cache: {
    get(hash: string): Promise<string | undefined>;
    set(hash: string, text: string): Promise<void>;
    delete(hash: string): Promise<boolean>;
  };
  /** Returns the refusal if this text may not run at `/graphql`; otherwise null. */
  refusal(text: string): AppError | null;
  /**
   * Returns the text to run, for sockets and event streams, which Apollo Server does not handle.
   *
   * @throws AppError PERSISTED_QUERY_NOT_FOUND (400) or OPERATION_NOT_LISTED (403)
   */
  textOf(sent: SentOperation): Promise<string>;
  /** Texts that are known at start and planned in advance. */
  readonly known: Iterable<string>;
  close(): Promise<void>;
}

/** Prefix that Apollo Server adds to every hash. */
const APOLLO_PREFIX = /^apq:/;
/** Message and code of Apollo Server, which clients recognize; they then send the text. */
const NOT_FOUND = { message: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' } as const;

/**
 * Returns the safelist if one is configured; otherwise automatic persisted queries.
 *
 * @throws ConfigError if the safelist cannot be read
 */
export function persistedOperations(
  { GRAPHQL_SAFELIST, REDIS_URL }: Pick<Config, 'GRAPHQL_SAFELIST' | 'REDIS_URL'>,
  log: Log,
): PersistedOperations {
  if (GRAPHQL_SAFELIST) return safelistOnly(readSafelist(GRAPHQL_SAFELIST));
  return automaticPersisted(REDIS_URL ? keptInRedis(REDIS_URL, log) : keptInMemory());
}

/** Automatic persisted queries: a text that was sent once with its hash is then found by the hash. */
export function automaticPersisted(texts: KeptTexts): PersistedOperations {
  const find = (hash: string) => texts.get(hash.replace(APOLLO_PREFIX, ''));
  return {
    cache: {
      get: find,
      set: (hash, text) => texts.set(hash.replace(APOLLO_PREFIX, ''), text),
      delete: async () => false,
    },
    refusal: () => null,
    textOf: (sent) => textOf(sent, find),
    known: [],
    close: () => texts.close(),
  };
}

/** Allows only listed operations, by id or by their exact text. */
export function safelistOnly({ texts, has }: Safelist): PersistedOperations {
  const find = async (hash: string) => texts.get(hash.replace(APOLLO_PREFIX, ''));
  const refusal = (text: string) => (has(text) ? null : notListed());
  return {
    cache: { get: find, set: async () => undefined, delete: async () => false },
    refusal,
    async textOf(sent) {
      const text = await textOf(sent, find);
      const refused = refusal(text);
      if (refused) throw refused;
      return text;
    },
    known: texts.values(),
    async close() {},
  };
}

const notListed = (): AppError =>
  forbidden(
    'OPERATION_NOT_LISTED',
    'Only operations of the safelist run here. Add this one to its manifest.',
  );

async function textOf(
  sent: SentOperation,
  find: (hash: string) => Promise<string | undefined>,
): Promise<string> {
  if (typeof sent.query === 'string' && sent.query !== '') return sent.query;
  const hash = hashOf(sent);
  if (hash === undefined) {
    throw new AppError('BAD_USER_INPUT', 'REQUEST_INVALID', 'Send the operation as query, or its hash.');
  }
  const text = await find(hash);
  if (text === undefined) throw new AppError('BAD_USER_INPUT', NOT_FOUND.code, NOT_FOUND.message);
  return text;
}

function hashOf({ documentId, extensions }: SentOperation): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } };
  const hash = documentId ?? persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash.replace(/^sha256:/, '') : undefined;
}

/** Converts `documentId`, which other servers accept, to the form that Apollo Server accepts. */
export function withDocumentId<Body>(body: Body): Body {
  const { documentId, query, extensions, ...rest } = (body ?? {}) as SentOperation & Record<string, unknown>;
  const sha256Hash = hashOf({ documentId });
  if (sha256Hash === undefined || query) return body;
  return {
    ...rest,
    extensions: { ...(extensions as object), persistedQuery: { version: 1, sha256Hash } },
  } as Body;
}

/** Refuses unlisted operations before they run. */
export const listedOnly = ({ refusal }: PersistedOperations): ApolloServerPlugin<Request> => ({
  async requestDidStart() {
    return {
      async didResolveOperation({ source }) {
        const refused = refusal(source);
        if (refused) throw graphQLErrorOf(refused);
      },
    };
  },
});
