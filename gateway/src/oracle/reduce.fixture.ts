import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  validate,
  visit,
} from 'graphql';
import type { Case } from './case.fixture.ts';

const removable: readonly string[] = [
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
  Kind.OBJECT_FIELD,
  Kind.OPERATION_DEFINITION,
];
const TRIES_MAX = 400;

/** Removes nodes of an operation one by one, as long as it still fails. */
export async function reduce(
  schema: GraphQLSchema,
  operation: Case,
  fails: (smaller: Case) => Promise<boolean>,
): Promise<Case> {
  let smallest = operation;
  let at = 0;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const document = without(smallest.document, at);
    if (!document) return smallest;
    const smaller = tidy(schema, { ...smallest, document });
    if (smaller && (await fails(smaller))) smallest = smaller;
    else at += 1;
  }
  return smallest;
}

/** Returns the document without its n-th removable node; null if there is none. */
function without(document: DocumentNode, nth: number): DocumentNode | null {
  let seen = 0;
  let isFound = false;
  const enter = (node: ASTNode) => {
    if (isFound || !removable.includes(node.kind) || seen++ !== nth) return undefined;
    isFound = true;
    return null;
  };
  const smaller = visit(document, { enter });
  return isFound ? smaller : null;
}

/** Removes unused parts; returns null if the rest is not a valid operation. */
function tidy(schema: GraphQLSchema, operation: Case): Case | null {
  let { document } = operation;
  for (;;) {
    const used = namesIn(document);
    const next = visit(document, {
      FragmentDefinition: ({ name }) => (used.has(`...${name.value}`) ? undefined : null),
      VariableDefinition: ({ variable }) => (used.has(`$${variable.name.value}`) ? false : null),
    });
    if (next === document) break;
    document = next;
  }
  try {
    const parsed = parse(print(document), { noLocation: true });
    if (validate(schema, parsed).length > 0) return null;
    const used = namesIn(parsed);
    const variables = Object.entries(operation.variables).filter(([name]) => used.has(`$${name}`));
    return { ...operation, document: parsed, variables: Object.fromEntries(variables) };
  } catch {
    return null;
  }
}

function namesIn(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, {
    FragmentSpread: ({ name }) => void names.add(`...${name.value}`),
    VariableDefinition: () => false,
    Variable: ({ name }) => void names.add(`$${name.value}`),
  });
  return names;
}
