import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notFound } from '../base/errors.ts';
import type { Context } from '../context.ts';
import { loader } from '../database/loaders.ts';
import { defineSubgraph, type Subgraph } from '../graph/subgraph.ts';
import type { Live } from '../live/live.ts';
import { liveIterator } from '../live/live-iterator.ts';
import { createMemoryLive } from '../live/live-memory.ts';

const sdl = `
extend type Query {
  notes: [Note!]! @access(scopes: [["notes:read"]])
}
extend type Subscription {
  noteChanged(id: ID!): Note! @access(scopes: [["notes:read"]])
}
type Note @key(fields: "id") {
  id: ID!
  text: String!
}
extend type Note @access(scopes: [["secrets:read"]]) {
  secret: String
}`;

export const noteId = '019cadfd-8900-713f-9842-bfb3da1c5e4a';

export interface Notes {
  readonly subgraph: Subgraph;
  /** Changes a note and notifies its watchers. */
  write(live: Live, text: string): Promise<void>;
  /** Makes all reads of the note wait for `release`; `reads` returns the number of reads. */
  hold(): { release(): void; reads(): number };
  /** `missedMs` of every subscription so far. */
  readonly missed: readonly number[];
}

/** A subgraph with one note that can be watched; reading the text `broken` fails. */
export function createNotes(): Notes {
  const texts = new Map([[noteId, 'first']]);
  let gate: Promise<void> = Promise.resolve();
  let reads = 0;
  const missed: number[] = [];
  const textById = loader(async (_, ids: readonly string[]) => {
    reads += 1;
    await gate;
    return new Map(ids.map((id) => [id, { id, text: texts.get(id)! }]));
  });
  const watch = (_: unknown, { id }: { id: string }, ctx: Context) => {
    if (!texts.has(id)) throw notFound('record', id);
    missed.push(ctx.request.missedMs);
    return liveIterator(ctx.services.live, `note:${id}`, { signal: ctx.request.signal });
  };
  const read = async (_: string, { id }: { id: string }, ctx: Context) => ctx.load(textById, id);
  const noun = {
    Query: { notes: () => [] },
    Subscription: { noteChanged: { subscribe: watch, resolve: read } },
    Note: {
      text({ text }: { text: string }) {
        if (text === 'broken') throw new Error('secret detail');
        return text;
      },
    },
  };
  return {
    subgraph: subgraphOf(noun),
    missed,
    async write(live, text) {
      texts.set(noteId, text);
      await live.publish(`note:${noteId}`, noteId);
    },
    hold() {
      const opened = Promise.withResolvers<void>();
      gate = opened.promise;
      reads = 0;
      return { release: () => opened.resolve(), reads: () => reads };
    },
  };
}

function subgraphOf(noun: Readonly<Record<string, unknown>>): Subgraph {
  const directory = mkdtempSync(join(tmpdir(), 'loyalty-notes-'));
  writeFileSync(join(directory, 'notes.graphql'), sdl);
  try {
    return defineSubgraph('loyalty', directory, [noun]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export interface CountedLive extends Live {
  /** Number of active subscriptions and gap listeners. */
  readonly listeners: number;
  /** Signals that messages may have been lost. */
  gap(): void;
}

/** Live events within one process, with a count of listeners. */
export function countedLive(): CountedLive {
  const live = createMemoryLive();
  const gapListeners = new Set<() => void>();
  let subscriptions = 0;
  return {
    ...live,
    get listeners() {
      return subscriptions + gapListeners.size;
    },
    gap() {
      for (const listener of gapListeners) listener();
    },
    subscribe(channel, listener) {
      subscriptions += 1;
      const stop = live.subscribe(channel, listener);
      return () => {
        subscriptions -= 1;
        stop();
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => void gapListeners.delete(listener);
    },
  };
}
