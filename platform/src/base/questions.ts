import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, print, separateOperations } from 'graphql';
import type { SubgraphName } from './subgraph-name.ts';

declare const answers: unique symbol;

/** The text of an operation on fields of another subgraph. The type carries its variables and its answer. */
export type Question<Peer extends SubgraphName, Answer, Variables> = string & {
  readonly [answers]: (peer: Peer, variables: Variables) => Answer;
};

/** The file in a subgraph's folder that contains its questions; it is not part of the graph. */
export const QUESTIONS_FILE = 'peers.graphql';

/**
 * Reads the questions of a subgraph to others: the operations of its `peers.graphql`, by name.
 *
 * @typeParam Questions - their types, written by `npm run generate`
 */
export function questionsIn<Questions>(directory: string): Questions {
  const document = parse(readFileSync(join(directory, QUESTIONS_FILE), 'utf8'), { noLocation: true });
  const named = Object.entries(separateOperations(document)).map(([name, one]) => [name, print(one)]);
  return Object.fromEntries(named) as Questions;
}
