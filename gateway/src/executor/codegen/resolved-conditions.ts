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
 * Resolves the conditions of @include and @skip for these values; excluded fields are not planned. If
 * conditions stayed in the plan, requirements of a conditional field would be missing for other fields that
 * are fetched with it.
 *
 * @param values - values of variables; conditions on other variables stay
 */
export function withResolvedConditions(document: DocumentNode, values: Variables): DocumentNode {
  /** Returns the value of a condition; undefined if it is not known yet. */
  const valueIn = (directive: DirectiveNode): boolean | undefined => {
    const condition = directive.arguments?.find(({ name }) => name.value === 'if')?.value;
    if (condition?.kind === Kind.BOOLEAN) return condition.value;
    return condition?.kind === Kind.VARIABLE
      ? (values[condition.name.value] as boolean | undefined)
      : undefined;
  };
  const resolved = <Node extends SelectionNode>(node: Node): Node | null | undefined => {
    const unresolved: DirectiveNode[] = [];
    for (const directive of node.directives ?? []) {
      const value = isCondition(directive) ? valueIn(directive) : undefined;
      if (value === undefined) unresolved.push(directive);
      else if (value !== (directive.name.value === 'include')) return null;
    }
    return unresolved.length === node.directives?.length ? undefined : { ...node, directives: unresolved };
  };
  return visit(document, {
    Field: resolved,
    InlineFragment: resolved,
    FragmentSpread: resolved,
    SelectionSet: { leave: filled },
  });
}

const isCondition = ({ name: { value } }: DirectiveNode): boolean => value === 'include' || value === 'skip';

const filled = (set: SelectionSetNode): SelectionSetNode | undefined =>
  set.selections.length > 0 ? undefined : { ...set, selections: [TYPENAME] };

/** Returns the variables in @include and @skip of a document. */
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
