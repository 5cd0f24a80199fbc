import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { type CallFailure, formFaults } from '../graph/failures.ts';
import { type Act, type ToastOf, useAct } from '../graph/use-act.ts';
import { useSentences } from '../messages/sentences.ts';
import { useText } from '../messages/text.ts';
import { Dialog } from './dialog.tsx';
import { FailureView } from './failure-view.tsx';

interface FormDialogProps<Values, Data, Variables> {
  readonly title: string;
  readonly submit: string;
  readonly form: UseFormReturnType<Values>;
  readonly act: Act<Data, Variables>;
  readonly variables: (values: Values) => Variables;
  readonly onDone: (data: Data) => void;
  readonly onClose: () => void;
  readonly danger?: Danger | undefined;
  /** Shows a drawer instead of a dialog. */
  readonly isLong?: boolean;
  readonly children?: ReactNode;
}

/**
 * A dialog with one form and one mutation. An error of a field is shown at the field, which keeps its value.
 */
export function FormDialog<Values, Data, Variables>(props: FormDialogProps<Values, Data, Variables>) {
  const { title, submit, form, act, variables, onDone, onClose, danger, isLong, children } = props;
  const t = useText();
  const shown = useFieldErrors(form, act.failure);
  const isDone = useRef(false);
  const typedName = useTypedName(danger);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The mutation has succeeded and the dialog is about to close: another click must not repeat it.
    if (isDone.current) return;
    const isNamed = typedName.check();
    if (form.validate().hasErrors || !isNamed) return;
    const data = await act.run(variables(form.getValues()));
    if (!data) return;
    isDone.current = true;
    onDone(data);
  }
  return (
    <Dialog
      onClose={onClose}
      title={danger ? `${title}: ${danger.name}` : title}
      isDrawer={isLong}
      hasTyped={() => !isDone.current && form.isDirty()}
    >
      <form onSubmit={(event) => void send(event)} noValidate>
        <Stack>
          {children}
          {typedName.field}
          {act.failure && !shown && <FailureView failure={act.failure} />}
          {act.failure?.reason === 'NETWORK' && <Alert color="yellow">{t('error.once')}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('dialog.cancel')}
            </Button>
            <Button
              type="submit"
              loading={act.isRunning}
              color={danger ? 'red' : undefined}
              // The second click of a double click would confirm a question that nobody has read.
              onClick={(event) => event.detail > 1 && event.preventDefault()}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/**
 * Shows a sentence at each field with an error. Returns true if every error belongs to a field of the form.
 */
export function useFieldErrors<Values>(
  form: UseFormReturnType<Values>,
  failure: CallFailure | null,
): boolean {
  const say = useSentences(failure !== null);
  const { byName, isComplete } = failure
    ? formFaults(failure, form.getValues() as Record<string, unknown>)
    : NO_FAULTS;
  const isReady = say !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new failure sets sentences
  useEffect(() => {
    if (!failure || !say) return;
    form.setErrors(say.ofFields(byName));
  }, [failure, isReady]);
  return isComplete;
}

const NO_FAULTS = { byName: {}, isComplete: false };

/** A destructive action. */
interface Danger {
  /** The name of the object, as people know it. */
  readonly name: string;
  /** The action cannot be undone, so the name has to be typed. */
  readonly isFinal?: boolean;
}

interface TypedName {
  /** The input for the name, if the action needs one. */
  readonly field: ReactNode;
  /** Returns true if the action may proceed. Otherwise the input shows an error. */
  readonly check: () => boolean;
}

/** Asks for the name of an object before it is destroyed irreversibly. */
function useTypedName(danger: Danger | undefined): TypedName {
  const t = useText();
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  if (!danger?.isFinal) return { field: null, check: () => true };
  const { name } = danger;
  const field = (
    <TextInput
      label={t('danger.typeName', { name })}
      required
      autoComplete="off"
      value={typed}
      error={isRefused && t('danger.nameDiffers', { name })}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        setRefused(false);
      }}
    />
  );
  const check = () => {
    const isTyped = typed.trim() === name.trim();
    setRefused(!isTyped);
    return isTyped;
  };
  return { field, check };
}

interface ConfirmDialogProps<Data, Variables> {
  /** Title of the dialog and label of its button. */
  readonly title: string;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** Types that the mutation changes but does not return. */
  readonly changes?: readonly string[];
  readonly toast: ToastOf<Data, Variables>;
  readonly danger?: Danger;
  readonly onClose: () => void;
  /** Explains the consequences. */
  readonly children: ReactNode;
}

/** Asks for confirmation before an action that needs no input. */
export function ConfirmDialog<Data, Variables extends AnyVariables>({
  title,
  document,
  variables,
  changes = [],
  toast,
  danger,
  onClose,
  children,
}: ConfirmDialogProps<Data, Variables>) {
  const act = useAct(document, changes, toast);
  const form = useForm({ initialValues: {} });
  return (
    <FormDialog
      title={title}
      submit={title}
      form={form}
      act={act}
      variables={() => variables}
      onDone={onClose}
      onClose={onClose}
      danger={danger}
    >
      {children}
    </FormDialog>
  );
}
