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
  /** Id of the job that it says has begun: once that ends, it is no longer true and goes. */
  readonly begun?: string | undefined;
  /** Id of the job that it says was stopped. */
  readonly stopped?: string | undefined;
}

export const undoing = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  changes: readonly string[] = [],
): Undo => ({ document, variables, changes });

/** Said and not shown yet: the list is loaded after the screen. */
const waiting: Toast[] = [];
const added = createSignal();
const ended = createSignal<string>();

/** Says it at the edge of the screen. */
export function say(toast: Toast): void {
  if (toast.stopped) endJob(toast.stopped);
  waiting.push(toast);
  added.send();
}

/** A job has ended: that it has begun is said no longer. */
export function endJob(id: string): void {
  const at = waiting.findIndex(({ begun }) => begun === id);
  if (at >= 0) waiting.splice(at, 1);
  ended.send(id);
}

/**
 * Shows what was said and what will be.
 *
 * @param hide - takes away what says that this job has begun, where it is shown
 * @returns what ends showing
 */
export function showToasts(show: (toast: Toast) => void, hide: (job: string) => void): () => void {
  const showAll = () => {
    for (const toast of waiting.splice(0)) show(toast);
  };
  showAll();
  const ends = [added.listen(showAll), ended.listen(hide)];
  return () => {
    for (const end of ends) end();
  };
}
