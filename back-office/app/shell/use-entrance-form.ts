import { type FormEvent, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { type CallFailure, formFaults } from '../graph/failures.ts';
import { useAct } from '../graph/use-act.ts';
import { type Sentences, useSentences } from '../messages/sentences.ts';
import { useText } from '../messages/text.ts';
import { emptyFields } from './empty-fields.ts';

type Typed<Field extends string> = Readonly<Record<Field, string>>;

interface EntranceForm<Field extends string> {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly isRunning: boolean;
  /** The sentence of each invalid field. */
  readonly errors: Partial<Typed<Field>>;
  /** The failure that belongs to no field. */
  readonly failure: CallFailure | null;
}

/**
 * A form whose mutation needs no session.
 *
 * @param fieldOf - fields by the reason of a failure, for failures that name no field
 */
export function useEntranceForm<Field extends string, Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: (typed: Typed<Field>) => Variables,
  onDone: (typed: Typed<Field>) => void,
  fieldOf: Readonly<Record<string, Field>> = {},
): EntranceForm<Field> {
  const t = useText();
  const act = useAct(document);
  const [missing, setMissing] = useState<readonly string[]>([]);
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
    const { currentTarget } = event;
    const empty = emptyFields(currentTarget);
    setMissing(empty);
    if (empty.length === 0) void send(Object.fromEntries(new FormData(currentTarget)) as Typed<Field>);
  };
  const failure = missing.length > 0 ? null : act.failure;
  const say = useSentences(failure !== null);
  const { errors: refused, isComplete } = shown(failure, say, typed, fieldOf);
  const errors =
    missing.length > 0 ? Object.fromEntries(missing.map((name) => [name, t('form.required')])) : refused;
  return {
    onSubmit,
    isRunning: act.isRunning || isDone,
    errors: errors as Partial<Typed<Field>>,
    failure: isComplete ? null : failure,
  };
}

interface Shown {
  readonly errors: Readonly<Record<string, string>>;
  /** Does every error belong to a field? */
  readonly isComplete: boolean;
}

function shown(
  failure: CallFailure | null,
  say: Sentences | null,
  typed: Readonly<Record<string, unknown>>,
  fieldOf: Readonly<Record<string, string>>,
): Shown {
  if (!failure || !say) return { errors: {}, isComplete: true };
  const field = fieldOf[failure.reason];
  if (field !== undefined) return { errors: { [field]: say.ofFailure(failure) }, isComplete: true };
  const { byName, isComplete } = formFaults(failure, typed);
  return { errors: say.ofFields(byName), isComplete };
}
