import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { Variables } from '../../transport/transport.ts';

export const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/**
 * A document as it is with these values of @include and @skip: what is not asked for is left out of the plan.
 * Planned with the conditions in it, what a conditional field requires would be missing for others that are
 * fetched with it.
 *
 * @param values - of variables; conditions on others stay
 */
export function withResolvedConditions(document: DocumentNode, values: Variables): DocumentNode {
  /** Whether the condition holds, undefined where nobody knows yet. */
  const valueIn = (directive: DirectiveNode): boolean | undefined => {
    const condition = directive.arguments?.find(({ name }) => name.value === 'if')?.value;
    if (condition?.kind === Kind.BOOLEAN) return condition.value;
    return condition?.kind === Kind.VARIABLE
      ? (values[condition.name.value] as boolean | undefined)
      : undefined;
  };
  const settled = <Node extends SelectionNode>(node: Node): Node | null | undefined => {
    const open: DirectiveNode[] = [];
    for (const directive of node.directives ?? []) {
      const value = isCondition(directive) ? valueIn(directive) : undefined;
      if (value === undefined) open.push(directive);
      else if (value !== (directive.name.value === 'include')) return null;
    }
    return open.length === node.directives?.length ? undefined : { ...node, directives: open };
  };
  return visit(document, {
    Field: settled,
    InlineFragment: settled,
    FragmentSpread: settled,
    SelectionSet: { leave: filled },
  });
}

const isCondition = ({ name: { value } }: DirectiveNode): boolean => value === 'include' || value === 'skip';

const filled = (set: SelectionSetNode): SelectionSetNode | undefined =>
  set.selections.length > 0 ? undefined : { ...set, selections: [TYPENAME] };

/** Variables that @include and @skip of a document look at. */
export function conditionVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      for (const { value } of isCondition(directive) ? (directive.arguments ?? []) : []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}
