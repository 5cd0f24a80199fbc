import { Writable } from 'node:stream';
import { composeServices } from '@apollo/composition';
import { expect } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import type { SubgraphRequest } from '@loyalty/platform/graph/subgraph';
import { createLog } from '@loyalty/platform/observe/log';
import { type ExecutionResult, parse, validate } from 'graphql';
import { loadSupergraph } from '../../supergraph/supergraph.ts';
import { answering } from '../../transport/transport.fixture.ts';
import { type CreateExecutor, createExecutor, type Executor } from './executor.ts';

const sdl = {
  books: `
    type Query { books: [Book!]! shelves: [[Book]!] top(n: Int! = 1): Book }
    type Mutation { add: Book put(id: ID): Book! }
    type Book @key(fields: "id") { id: ID! title(language: String): String sequel: Book }`,
  prices: `
    type Book @key(fields: "id") { id: ID! price: Int tax: Int! offers: [Offer!] }
    type Offer { shop: String! cents: Int! }`,
};

export type SubgraphAnswers = Partial<Record<keyof typeof sdl, (request: SubgraphRequest) => unknown>>;

const header = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
const { supergraphSdl } = composeServices(
  Object.entries(sdl).map(([name, text]) => ({ name, url: name, typeDefs: parse(header + text) })),
);
const supergraph = loadSupergraph(supergraphSdl!);

let answers: SubgraphAnswers = {};
/** The requests to subgraphs. */
export let asked: [subgraph: string, variables: unknown][] = [];

const transport = (name: keyof typeof sdl) =>
  answering(async (request) => {
    asked.push([name, request.variables]);
    return (answers[name]?.(request) ?? { data: null }) as ExecutionResult;
  });
/** The logged lines. */
export let lines: Record<string, unknown>[] = [];
const destination = new Writable({
  write(line: Buffer, _, done) {
    lines.push(JSON.parse(line.toString()) as Record<string, unknown>);
    done();
  },
});
/** Creates an executor of an engine over both subgraphs. */
export const executorOf = (create: CreateExecutor): Executor =>
  create(
    supergraph,
    { books: transport('books'), prices: transport('prices') },
    createLog({ level: 'info', name: 'test', destination }),
  );
const compiled = executorOf(createExecutor);

/** Clears answers, requests and lines; called at the start of each test. */
export function forget(): void {
  [answers, asked, lines] = [{}, [], []];
}

/** Returns the client's answer for these answers of subgraphs. */
export async function ask(query: string, given: SubgraphAnswers, variables = {}, executor = compiled) {
  answers = given;
  const document = parse(query);
  expect(validate(supergraph.schema, document)).toEqual([]);
  const answer = await executor.execute({ document, variables }, { caller: anonymous, requestId: 'r' });
  return JSON.parse(JSON.stringify(answer));
}

export const book = (id: string, more = {}) => ({ __typename: 'Book', id, ...more });
export const books =
  (...ids: string[]) =>
  () => ({ data: { books: ids.map((id) => book(id)) } });
export const entities =
  (...list: unknown[]) =>
  () => ({ data: { _entities: list } });
