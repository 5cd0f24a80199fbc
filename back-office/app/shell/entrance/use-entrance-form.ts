import { type FormEvent, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { type CallFailure, formErrors } from '../../graph/failures.ts';
import { useAct } from '../../graph/use-act.ts';

type Typed<Field extends string> = Readonly<Record<Field, string>>;

interface EntranceForm<Field extends string> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly isRunning: boolean;
  /** The sentence of each field that is at fault. */
  readonly errors: Partial<Typed<Field>>;
  /** What the fields do not say. */
  readonly failure: CallFailure | null;
}

/**
 * A form whose mutation needs no session.
 *
 * @param fieldOf - the field of a refusal that names none, by its reason
 */
export function useEntranceForm<Field extends string, Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: (typed: Typed<Field>) => Variables,
  onDone: (typed: Typed<Field>) => void,
  fieldOf: Readonly<Record<string, Field>> = {},
): EntranceForm<Field> {
  const act = useAct(document);
  const [typed, setTyped] = useState<Partial<Typed<Field>>>({});
  const [isDone, setDone] = useState(false);

  async function send(now: Typed<Field>): Promise<void> {
    setTyped(now);
    if (!(await act.run(variables(now)))) return;
    setDone(true);
    onDone(now);
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void send(Object.fromEntries(new FormData(event.currentTarget)) as Typed<Field>);
  };
  const { failure } = act;
  const field = failure && fieldOf[failure.reason];
  const { errors, isComplete } =
    failure && !field
      ? formErrors(failure, typed)
      : { errors: failure && field ? { [field]: failure.message } : {}, isComplete: true };
  return {
    onSubmit,
    isRunning: act.isRunning || isDone,
    errors: errors as Partial<Typed<Field>>,
    failure: isComplete ? null : failure,
  };
}
