import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { referenceLook } from '@loyalty/platform/http/reference-look/reference-head';

/** A file that the page of the explorer loads. */
export interface ExplorerAsset {
  readonly type: string;
  readonly plain: Buffer;
  /** The same in brotli, computed when it is first asked for. */
  readonly packed: () => Promise<Buffer>;
}

const types = { js: 'text/javascript', css: 'text/css', txt: 'text/plain' } as const;
const compress = promisify(brotliCompress);
/** Packs the editor in a quarter of a second to a quarter of its size. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export const readOwn = (name: string): Buffer => readFileSync(new URL(`explorer/${name}`, import.meta.url));

function assetOf(name: string, plain: Buffer): ExplorerAsset {
  const type = types[name.split('.').at(-1) as keyof typeof types];
  let packed: Promise<Buffer> | undefined;
  return {
    type: `${type}; charset=utf-8`,
    plain,
    packed: () => {
      packed ??= compress(plain, FAST);
      return packed;
    },
  };
}

/** The packaged editor; null in an install without development parts. */
const packaged = () =>
  // biome-ignore lint/correctness/noUndeclaredDependencies: the explorer is a development part
  import('@graphql-yoga/render-graphiql/graphiql').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });

async function loadAssets(): Promise<ReadonlyMap<string, ExplorerAsset> | null> {
  const editor = await packaged();
  if (!editor) return null;
  const texts = {
    'look.css': referenceLook,
    'graphiql.js': editor.js,
    'graphiql.css': editor.css,
    'editor.worker.js': editor.editorWorkerService,
    'json.worker.js': editor.jsonWorker,
    'graphql.worker.js': editor.graphqlWorker,
  };
  const own = ['start.js', 'page.css', 'saved-queries.txt'].map((name) => [name, readOwn(name)] as const);
  const theirs = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const);
  return new Map([...own, ...theirs].map(([name, content]) => [name, assetOf(name, content)]));
}

let loaded: ReturnType<typeof loadAssets> | undefined;

/** The files of the explorer by name, loaded when it is first opened; null in an install without it. */
export function explorerAssets(): ReturnType<typeof loadAssets> {
  loaded ??= loadAssets();
  return loaded;
}
