import { type ParseResult, type ParserPlugin, parse } from '@babel/parser';
import {
  getBindingIdentifiers,
  type Identifier,
  type Node,
  type StringLiteral,
  VISITOR_KEYS,
} from '@babel/types';
import type { SourceFile } from './project.ts';

const parsed = new WeakMap<SourceFile, ParseResult>();

function syntaxOf(file: SourceFile): ParseResult {
  let syntax = parsed.get(file);
  if (!syntax) {
    const plugins: ParserPlugin[] = file.path.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'];
    syntax = parse(file.text, { sourceType: 'module', plugins, sourceFilename: file.path });
    parsed.set(file, syntax);
  }
  return syntax;
}

/**
 * Visits every node of a file. `parents` has the nodes from the root to this node. It is only valid during
 * the call of `visit`, because the same array is changed afterwards.
 */
function walk(file: SourceFile, visit: (node: Node, parents: readonly Node[]) => void): void {
  const parents: Node[] = [];
  const visitAll = (node: Node): void => {
    visit(node, parents);
    parents.push(node);
    for (const key of VISITOR_KEYS[node.type] ?? []) {
      const child = node[key as keyof Node] as unknown as Node | null | undefined | (Node | null)[];
      for (const each of Array.isArray(child) ? child : [child]) if (each) visitAll(each);
    }
    parents.pop();
  };
  visitAll(syntaxOf(file).program);
}

/** Collects the values that `pick` returns for the nodes of a file, in the order of the source. */
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

/** The name of a property access: `b` for `a.b` and for `a['b']`. */
export function propertyName(node: Node): string | null {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return null;
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  return node.property.type === 'StringLiteral' ? node.property.value : null;
}

export interface Import {
  readonly specifier: string;
  /** Every imported name, types too; `*` for a whole module. */
  readonly names: readonly string[];
  /** The imported names that exist at run time. */
  readonly values: readonly string[];
  readonly line: number;
}

const read = new WeakMap<SourceFile, Import[]>();

/** All imports and re-exports of a file, dynamic imports and imports of types too. */
export function importsOf(file: SourceFile): Import[] {
  const found = read.get(file) ?? collect(file, readImport);
  read.set(file, found);
  return found;
}

function readImport(node: Node): Import | null {
  const line = lineOf(node);
  switch (node.type) {
    case 'CallExpression': {
      const [source] = node.callee.type === 'Import' ? node.arguments : [];
      return source?.type === 'StringLiteral' ? wholeModule(source.value, line) : null;
    }
    case 'TSImportType':
      return { ...wholeModule(node.argument.value, line), values: [] };
    case 'ExportAllDeclaration':
      return wholeModule(node.source.value, line, node.exportKind === 'type');
    case 'ExportNamedDeclaration':
      return node.source
        ? namedImports(node.source.value, node.specifiers, line, node.exportKind === 'type')
        : null;
    case 'ImportDeclaration':
      if (node.specifiers.length === 0) return { ...wholeModule(node.source.value, line), names: [] };
      return namedImports(node.source.value, node.specifiers, line, node.importKind === 'type');
    default:
      return null;
  }
}

const wholeModule = (specifier: string, line: number, isErased = false): Import => ({
  specifier,
  names: ['*'],
  values: isErased ? [] : ['*'],
  line,
});

function namedImports(specifier: string, nodes: readonly Node[], line: number, isErased: boolean): Import {
  const isType = (node: Node): boolean =>
    isErased || (node.type === 'ImportSpecifier' && node.importKind === 'type');
  const values = nodes.filter((node) => !isType(node)).map(importedName);
  return { specifier, names: nodes.map(importedName), values, line };
}

function importedName(node: Node): string {
  if (node.type === 'ImportSpecifier') return nameOf(node.imported);
  if (node.type === 'ExportSpecifier') return nameOf(node.local);
  return node.type === 'ImportDefaultSpecifier' ? 'default' : '*';
}

const nameOf = (node: Identifier | StringLiteral): string =>
  node.type === 'Identifier' ? node.name : node.value;

export interface Export {
  readonly name: string;
  readonly isType: boolean;
  /** Whether it is declared in another file. */
  readonly isReExport: boolean;
  readonly line: number;
}

const typeDeclarations = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration'];

/** The named exports of a file. */
export function exportsOf(file: SourceFile): Export[] {
  const { body } = syntaxOf(file).program;
  const declared = body.flatMap(declaredIn);
  return body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    if (node.declaration) return declaredIn(node.declaration);
    return node.specifiers.map((specifier): Export => {
      const own = node.source ? undefined : declared.find(({ name }) => name === importedName(specifier));
      const isErased =
        node.exportKind === 'type' || ('exportKind' in specifier && specifier.exportKind === 'type');
      return {
        name: nameOf(specifier.exported as Identifier),
        isType: own?.isType ?? isErased,
        isReExport: !own,
        line: lineOf(specifier),
      };
    });
  });
}

function declaredIn(node: Node): Export[] {
  const own = { isReExport: false, line: lineOf(node) };
  if (node.type === 'VariableDeclaration')
    return node.declarations.flatMap(({ id }) =>
      Object.keys(getBindingIdentifiers(id)).map((name) => ({
        ...own,
        name,
        isType: false,
        line: lineOf(id),
      })),
    );
  const isType = typeDeclarations.includes(node.type);
  const isNamed = isType || node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration';
  return isNamed && 'id' in node && node.id?.type === 'Identifier'
    ? [{ ...own, name: node.id.name, isType }]
    : [];
}

/** The text of every string and template of a file, without import paths. */
export function stringsOf(file: SourceFile): { readonly text: string; readonly line: number }[] {
  return collect(file, (node, parents) => {
    if (parents.at(-1)?.type.endsWith('Declaration')) return null;
    if (node.type === 'StringLiteral') return { text: node.value, line: lineOf(node) };
    if (node.type === 'TemplateElement')
      return { text: node.value.cooked ?? node.value.raw, line: lineOf(node) };
    return null;
  });
}
