import { type DirectiveNode, Kind, type SelectionNode } from 'graphql';

/** A variable of @include or @skip and its required value. Several are combined with AND. */
interface VariableValue {
  readonly variable: string;
  readonly equals: boolean;
}
export type Guard = readonly VariableValue[];

/** Combines the outer guard with the directives of a selection; null if the selection can never apply. */
export function guardOf({ directives = [] }: SelectionNode, outer: Guard): Guard | null {
  let guard: Guard | null = outer;
  for (const directive of directives) {
    if (guard) guard = narrowed(guard, directive);
  }
  return guard;
}

function narrowed(guard: Guard, directive: DirectiveNode): Guard | null {
  const name = directive.name.value;
  if (name !== 'include' && name !== 'skip') return guard;
  const wanted = name === 'include';
  const given = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
  if (given?.kind === Kind.BOOLEAN) return given.value === wanted ? guard : null;
  if (given?.kind !== Kind.VARIABLE) return guard;
  const condition = { variable: given.name.value, equals: wanted };
  const known = guard.find(({ variable }) => variable === condition.variable);
  if (!known) return [...guard, condition];
  return known.equals === wanted ? guard : null;
}
