import { type DefinitionNode, parse } from 'graphql';
import { isSdl } from './paths.ts';
import type { Breach, Project, SourceFile } from './project.ts';

/** A file of the graph, parsed. */
export interface Sdl {
  readonly file: SourceFile;
  readonly definitions: readonly DefinitionNode[];
}

/** A node of the syntax tree with its position in the file. */
export interface Placed {
  readonly loc?: { readonly startToken: { readonly line: number } } | undefined;
}

const parsed = new WeakMap<SourceFile, Sdl>();

function sdlOf(file: SourceFile): Sdl {
  let sdl = parsed.get(file);
  if (!sdl) {
    sdl = { file, definitions: parse(file.text).definitions };
    parsed.set(file, sdl);
  }
  return sdl;
}

/** The SDL of the subgraphs. */
export const sdlIn = ({ files }: Project): Sdl[] => files.filter(({ path }) => isSdl(path)).map(sdlOf);

/** The SDL of the subgraphs with the SDL that the platform adds to each of them. */
export const wholeSdlIn = ({ files }: Project): Sdl[] =>
  files.filter(({ path }) => isSdl(path) || isSharedSdl(path)).map(sdlOf);

const isSharedSdl = (path: string): boolean => /^platform\/src\/graph\/[^/]+\.graphql$/.test(path);

/** A breach at a node of a file. */
export const at = (file: SourceFile, node: Placed, message: string): Breach => ({
  file: file.path,
  line: node.loc?.startToken.line ?? 1,
  message,
});
