import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { Fragments } from '../executor/codegen/collect.ts';

/** Returns the fields of a selection set, also those in fragments. Each named fragment is used once. */
export function rootFields(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  seen: Set<string> = new Set(),
): FieldNode[] {
  return selections.flatMap((selection): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, fragments, seen);
    // A second spread of a fragment adds no new fields.
    if (seen.has(selection.name.value)) return [];
    seen.add(selection.name.value);
    const fragment = fragments.get(selection.name.value);
    return fragment ? rootFields(fragment.selectionSet, fragments, seen) : [];
  });
}
