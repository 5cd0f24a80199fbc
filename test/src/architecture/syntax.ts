import { type ParseResult, parse } from '@babel/parser';
import { type Node, traverse } from '@babel/types';
import type { SourceFile } from './project.ts';

const parsed = new WeakMap<SourceFile, ParseResult>();

function syntaxOf(file: SourceFile): ParseResult {
  let syntax = parsed.get(file);
  if (!syntax) {
    syntax = parse(file.text, { sourceType: 'module', plugins: ['typescript'], sourceFilename: file.path });
    parsed.set(file, syntax);
  }
  return syntax;
}

/** Visits every node of a file; `parents` leads from the root to the node. */
export function walk(file: SourceFile, visit: (node: Node, parents: readonly Node[]) => void): void {
  traverse(syntaxOf(file), (node, ancestors) => {
    visit(
      node,
      ancestors.map((ancestor) => ancestor.node),
    );
  });
}

/** What `pick` finds at the nodes of a file, in the order of the source. */
export function collect<T>(
  file: SourceFile,
  pick: (node: Node, parents: readonly Node[]) => T | null | undefined,
): T[] {
  const found: T[] = [];
  walk(file, (node, parents) => {
    const value = pick(node, parents);
    if (value !== null && value !== undefined) found.push(value);
  });
  return found;
}

export const lineOf = (node: Node): number => node.loc?.start.line ?? 1;

/** `a.b` and `a['b']`: the name `b`. */
export function propertyName(node: Node): string | null {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return null;
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  return node.property.type === 'StringLiteral' ? node.property.value : null;
}

export interface Import {
  readonly specifier: string;
  /** Exported names that exist at run time; `*` for a whole module. */
  readonly values: readonly string[];
  readonly line: number;
}

/** Every import and re-export of a file, dynamic ones too. */
export const importsOf = (file: SourceFile): Import[] => collect(file, readImport);

function readImport(node: Node): Import | null {
  const line = lineOf(node);
  if (node.type === 'CallExpression' && node.callee.type === 'Import') {
    const [source] = node.arguments;
    return source?.type === 'StringLiteral' ? { specifier: source.value, values: ['*'], line } : null;
  }
  if (node.type === 'ExportAllDeclaration') return { specifier: node.source.value, values: ['*'], line };
  if (node.type === 'ExportNamedDeclaration' && node.source)
    return { specifier: node.source.value, values: ['*'], line };
  if (node.type !== 'ImportDeclaration') return null;
  const isErased = node.importKind === 'type';
  const values = isErased ? [] : node.specifiers.flatMap(importedValue);
  const isSideEffect = !isErased && node.specifiers.length === 0;
  return { specifier: node.source.value, values: isSideEffect ? ['*'] : values, line };
}

function importedValue(specifier: Node): string[] {
  if (specifier.type !== 'ImportSpecifier') return ['*'];
  if (specifier.importKind === 'type') return [];
  return [specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value];
}

/** Text of every string and template of a file, but of import paths. */
export function stringsOf(file: SourceFile): { readonly text: string; readonly line: number }[] {
  return collect(file, (node, parents) => {
    if (parents.at(-1)?.type.endsWith('Declaration')) return null;
    if (node.type === 'StringLiteral') return { text: node.value, line: lineOf(node) };
    if (node.type === 'TemplateElement')
      return { text: node.value.cooked ?? node.value.raw, line: lineOf(node) };
    return null;
  });
}
