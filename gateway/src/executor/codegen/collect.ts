import { type Guard, guardOf } from '@loyalty/platform/identity/conditions';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { responseNameOf } from './names.ts';

export type { Guard };

/** A selection set that applies if its guard is true. */
export interface GuardedSelections {
  readonly guard: Guard;
  readonly selections: SelectionSetNode;
}

/** One response name of one type, with all its occurrences in the operation. */
export interface CollectedField {
  readonly responseName: string;
  readonly node: FieldNode;
  /** The field is answered if one of these guards is true. */
  readonly guards: readonly Guard[];
  readonly selections: readonly GuardedSelections[];
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns the fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/**
 * Collects the fields that selection sets select on one type, merged by response name, in the order of the
 * specification.
 *
 * @param applies - returns whether a fragment with this type condition applies to the type
 */
export function collectFields(
  sets: readonly GuardedSelections[],
  fragments: Fragments,
  applies: (condition: string) => boolean,
): CollectedField[] {
  const fields = new Map<string, { node: FieldNode; guards: Guard[]; selections: GuardedSelections[] }>();
  for (const { guard, selections } of sets) walk(selections, guard);
  return [...fields].map(([responseName, field]) => ({ responseName, ...field }));

  function walk(set: SelectionSetNode, outer: Guard): void {
    for (const selection of set.selections) {
      const guard = guardOf(selection, outer);
      if (!guard) continue;
      if (selection.kind === Kind.FIELD) add(selection, guard);
      else {
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
        const condition = fragment.typeCondition?.name.value;
        if (condition === undefined || applies(condition)) walk(fragment.selectionSet, guard);
      }
    }
  }

  function add(node: FieldNode, guard: Guard): void {
    const name = responseNameOf(node);
    const field = fields.get(name) ?? { node, guards: [], selections: [] };
    fields.set(name, field);
    field.guards.push(guard);
    if (node.selectionSet) field.selections.push({ guard, selections: node.selectionSet });
  }
}
