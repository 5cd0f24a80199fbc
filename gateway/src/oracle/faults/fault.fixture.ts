import type { ServerResponse } from 'node:http';

/** A subgraph's correct answer, before the fault is applied. */
export interface Exchange {
  readonly response: ServerResponse;
  /** The result, which a fault may change. */
  readonly result: Result;
  readonly text: string;
  /** Sends a body as a correct server would. */
  send(body: string | Buffer, head?: Head): void;
}

interface Head {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are spoiled at every depth
export type Result = { data?: any; errors?: unknown; extensions?: unknown };

/**
 * The effect on a field of the faulty subgraph, by the specification: `null` for a plain null, `fails` for an
 * error, `unaffected` where the fault does not affect it.
 */
export type Effect = (field: FieldPlace) => 'unaffected' | 'null' | 'fails';

interface FieldPlace {
  readonly type: string;
  readonly name: string;
  readonly isLeaf: boolean;
}

/** A fault of a subgraph. */
export interface InjectedFault {
  readonly name: string;
  answer(exchange: Exchange): void;
  readonly effect: Effect;
  /** `added`: an error although every field is answered. `none`: an unknown entity is no error. */
  readonly errors?: 'added' | 'none';
}

export const nothing: Effect = () => 'unaffected';
export const everything: Effect = () => 'fails';
/** The fields that a subgraph adds to entities; title and kind belong to the items themselves. */
export const ofEntities =
  (outcome: 'null' | 'fails'): Effect =>
  ({ type, name }) =>
    type === 'Item' && name !== 'title' && name !== 'kind' ? outcome : 'unaffected';
export const ofLeaves =
  (outcome: 'null' | 'fails', names?: readonly string[]): Effect =>
  ({ isLeaf, name }) =>
    isLeaf && (!names || names.includes(name)) ? outcome : 'unaffected';
export const ofObjects: Effect = ({ isLeaf }) => (isLeaf ? 'unaffected' : 'fails');

/** A fault of the bytes that are sent instead of the answer. */
export const sending = (
  name: string,
  effect: Effect,
  body: (text: string) => string | Buffer,
  head?: Head,
): InjectedFault => ({ name, effect, answer: ({ text, send }) => send(body(text), head) });

/** A fault of the result, which is sent correctly. */
export const spoiling = (
  name: string,
  effect: Effect,
  spoil: (result: Result) => unknown,
  errors?: InjectedFault['errors'],
): InjectedFault => ({
  name,
  effect,
  ...(errors && { errors }),
  answer: ({ result, send }) => send(JSON.stringify(spoil(result))),
});
