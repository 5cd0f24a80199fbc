import { type ConstDirectiveNode, type DocumentNode, Kind, visit } from 'graphql';

/**
 * Sorts the keys of every type: resolvable keys first. The planner returns to a subgraph by the first key
 * with known fields, and does not check whether the subgraph resolves it.
 */
export function withResolvableKeysFirst(supergraph: DocumentNode): DocumentNode {
  return visit(supergraph, {
    ObjectTypeDefinition: (node) => inOrder(node),
    InterfaceTypeDefinition: (node) => inOrder(node),
  });
}

function inOrder<T extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: T,
): T | undefined {
  const directives = node.directives ?? [];
  const last = directives.filter(isUnresolvableKey);
  if (last.length === 0) return undefined;
  return { ...node, directives: [...directives.filter((each) => !isUnresolvableKey(each)), ...last] };
}

const isUnresolvableKey = (directive: ConstDirectiveNode): boolean =>
  directive.name.value === 'join__type' &&
  directive.arguments!.some(
    ({ name, value }) => name.value === 'resolvable' && value.kind === Kind.BOOLEAN && !value.value,
  );
