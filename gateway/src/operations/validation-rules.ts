import { unstorable } from '@loyalty/platform/base/input';
import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
  type ValidationContext,
} from 'graphql';

/**
 * Requires one root field without a condition, because a subscription without its root field has no source.
 * The specification forbids conditions there (5.2.4.1, September 2025); the rule of graphql-js 16 throws on
 * them.
 */
export function subscriptionRootRule(context: ValidationContext): ASTVisitor {
  const { OperationDefinition: checkSingleField } = SingleFieldSubscriptionsRule(context) as {
    OperationDefinition(node: OperationDefinitionNode): void;
  };
  return {
    OperationDefinition(node) {
      const isSubscription = node.operation === OperationTypeNode.SUBSCRIPTION;
      const nodes = isSubscription ? conditionsIn(node.selectionSet, context, new Set()) : [];
      if (nodes.length === 0) return checkSingleField(node);
      const message = 'A subscription must not have @skip or @include on its root field.';
      context.reportError(new GraphQLError(message, { nodes }));
    },
  };
}

function conditionsIn(
  { selections }: SelectionSetNode,
  context: ValidationContext,
  seen: Set<string>,
): DirectiveNode[] {
  return selections.flatMap((selection) => {
    const own = (selection.directives ?? []).filter(({ name }) => /^(skip|include)$/.test(name.value));
    if (selection.kind === Kind.FIELD) return own;
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return [...own, ...conditionsIn(selection.selectionSet, context, seen)];
    const name = selection.name.value;
    const fragment = seen.has(name) ? null : context.getFragment(name);
    seen.add(name);
    return fragment ? [...own, ...conditionsIn(fragment.selectionSet, context, seen)] : own;
  });
}

/**
 * Applies the rules for variables to text in a document: text that cannot be stored is refused with its name.
 */
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

/** Returns the argument, input field or variable with this value. */
function nameOf(around: readonly (ASTNode | readonly ASTNode[])[]): string {
  const nodes = around.filter((each) => 'kind' in each);
  const owner = nodes.findLast(
    ({ kind }) => kind === Kind.ARGUMENT || kind === Kind.OBJECT_FIELD || kind === Kind.VARIABLE_DEFINITION,
  );
  if (owner?.kind === Kind.VARIABLE_DEFINITION) return owner.variable.name.value;
  return owner && 'name' in owner ? (owner.name?.value ?? 'Text') : 'Text';
}
