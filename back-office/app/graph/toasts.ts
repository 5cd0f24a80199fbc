import type { DocumentNode } from 'graphql';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { createSignal } from './signal.ts';

/** The mutation that reverts another one. */
export interface Undo {
  readonly document: DocumentNode;
  readonly variables: AnyVariables;
  readonly changes: readonly string[];
}

/** A short message after an action. */
export interface Toast {
  readonly text: string;
  /** Set if the viewer may revert the action. */
  readonly undo?: Undo | false | undefined;
  /** Id of the job whose start the message reports. The message is removed when the job ends. */
  readonly begun?: string | undefined;
  /** Id of the job whose cancellation the message reports. */
  readonly stopped?: string | undefined;
}

export const undoing = <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  changes: readonly string[] = [],
): Undo => ({ document, variables, changes });

/** Messages that are not shown yet, because the list loads after the screen. */
const waiting: Toast[] = [];
const added = createSignal();
const ended = createSignal<string>();

/** Shows a message at the edge of the screen. */
export function say(toast: Toast): void {
  if (toast.stopped) endJob(toast.stopped);
  waiting.push(toast);
  added.send();
}

/** Removes the message that this job has begun. */
export function endJob(id: string): void {
  const at = waiting.findIndex(({ begun }) => begun === id);
  if (at >= 0) waiting.splice(at, 1);
  ended.send(id);
}

/**
 * Shows the waiting messages and all later ones.
 *
 * @param hide - removes the message that this job has begun
 * @returns a function that stops showing
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
