import { unstorable } from '@loyalty/platform/values/input';
import { type ASTNode, type ASTVisitor, GraphQLError, Kind, type ValidationContext } from 'graphql';

/** Text in a document follows the rules for variables: text that cannot be stored is refused by its name. */
export function storableTextRule(context: ValidationContext): ASTVisitor {
  return {
    StringValue(node, _key, parent, _path, ancestors) {
      const found = unstorable(node.value);
      if (!found) return;
      const message = `${nameOf([...ancestors, ...(parent ? [parent] : [])])} ${found.rule}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** The argument, input field or variable that has this value. */
function nameOf(around: readonly (ASTNode | readonly ASTNode[])[]): string {
  const nodes = around.filter((each) => 'kind' in each);
  const owner = nodes.findLast(
    ({ kind }) => kind === Kind.ARGUMENT || kind === Kind.OBJECT_FIELD || kind === Kind.VARIABLE_DEFINITION,
  );
  if (owner?.kind === Kind.VARIABLE_DEFINITION) return owner.variable.name.value;
  return owner && 'name' in owner ? (owner.name?.value ?? 'Text') : 'Text';
}
