import type { DocumentNode } from 'graphql';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { createSignal } from './signal.ts';

/** The act that takes another one back. */
export interface Undo {
  readonly document: DocumentNode;
  readonly variables: AnyVariables;
  readonly changes: readonly string[];
}

/** What is said once something was done. */
export interface Toast {
  readonly text: string;
  /** Where the viewer may take it back. */
  readonly undo?: Undo | false | undefined;
}

export const undoing = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  changes: readonly string[] = [],
): Undo => ({ document, variables, changes });

/** Said and not shown yet: the list is loaded after the screen. */
const waiting: Toast[] = [];
const added = createSignal();

/** Says it at the edge of the screen. */
export function say(toast: Toast): void {
  waiting.push(toast);
  added.send();
}

/**
 * Shows what was said and what will be.
 *
 * @returns what ends showing
 */
export function showToasts(show: (toast: Toast) => void): () => void {
  const showAll = () => {
    for (const toast of waiting.splice(0)) show(toast);
  };
  showAll();
  return added.listen(showAll);
}
