import { globSync, readFileSync } from 'node:fs';
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, separateOperations } from 'graphql';

/** An operation of the back office. */
export interface NamedDocument {
  readonly name: string;
  readonly operation: OperationDefinitionNode;
  /** The operation with its fragments. */
  readonly document: DocumentNode;
}

const root = new URL('../../', import.meta.url);
const files = globSync('app/**/*.graphql', { cwd: root }).sort();
const definitions = files.flatMap((file) => parse(readFileSync(new URL(file, root), 'utf8')).definitions);
const separate = separateOperations({ kind: Kind.DOCUMENT, definitions });

/** All operations of all screens. */
export const documents: readonly NamedDocument[] = definitions
  .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  .map((operation) => {
    const name = operation.name!.value;
    return { name, operation, document: separate[name]! };
  });

/** Returns the variables that exclude parts of a document by permission: their names begin with `can`. */
export const conditionsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => /^can[A-Z]/.test(name));
