import { globSync, readFileSync } from 'node:fs';
import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  visit,
} from 'graphql';

/** An operation of the back office. */
export interface NamedDocument {
  readonly name: string;
  readonly operation: OperationDefinitionNode;
  /** The operation with the fragments that it spreads. */
  readonly document: DocumentNode;
}

const root = new URL('../../', import.meta.url);
const files = globSync('app/**/*.graphql', { cwd: root }).sort();
const definitions = files.flatMap((file) => parse(readFileSync(new URL(file, root), 'utf8')).definitions);
const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);

/** Every operation of every screen. */
export const documents: readonly NamedDocument[] = definitions
  .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  .map((operation) => ({ name: operation.name!.value, operation, document: withFragments(operation) }));

function withFragments(operation: OperationDefinitionNode): DocumentNode {
  const needed = new Set<DefinitionNode>([operation]);
  for (const each of needed)
    visit(each, {
      enter(found) {
        if (found.kind !== Kind.FRAGMENT_SPREAD) return;
        const fragment = fragments.find(({ name }) => name.value === found.name.value);
        if (fragment) needed.add(fragment);
      },
    });
  return { kind: Kind.DOCUMENT, definitions: [...needed] };
}

/** Parts of a screen that not everybody may see are left out by these variables. */
export const conditionsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => /^can[A-Z]/.test(name));
