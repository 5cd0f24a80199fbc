import { Alert, Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { type CallFailure, formErrors } from '../graph/failures.ts';
import type { Act } from '../graph/use-act.ts';
import { useText } from '../messages/text.ts';
import { Dialog } from './dialog.tsx';
import { FailureView } from './screen.tsx';

interface FormDialogProps<Values, Data, Variables> {
  readonly title: string;
  readonly submit: string;
  readonly form: UseFormReturnType<Values>;
  readonly act: Act<Data, Variables>;
  readonly variables: (values: Values) => Variables;
  readonly onDone: (data: Data) => void;
  readonly onClose: () => void;
  readonly isDangerous?: boolean;
  /** For what has much to choose from. */
  readonly isWide?: boolean;
  readonly children?: ReactNode;
}

/** A dialog with one form and one mutation. What the API refuses stands at its field, with what was typed. */
export function FormDialog<Values, Data, Variables>(props: FormDialogProps<Values, Data, Variables>) {
  const { title, submit, form, act, variables, onDone, onClose, isDangerous, isWide, children } = props;
  const t = useText();
  const shown = useFieldErrors(form, act.failure);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (form.validate().hasErrors) return;
    const data = await act.run(variables(form.getValues()));
    if (data) onDone(data);
  }
  return (
    <Dialog onClose={onClose} title={title} size={isWide ? 'lg' : 'md'}>
      <form onSubmit={(event) => void send(event)} noValidate>
        <Stack>
          {children}
          {act.failure && !shown && <FailureView failure={act.failure} />}
          {act.failure?.reason === 'NETWORK' && <Alert color="yellow">{t('error.once')}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('dialog.cancel')}
            </Button>
            <Button type="submit" loading={act.isRunning} color={isDangerous ? 'red' : undefined}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Puts each sentence of a refusal at its field; true where the form has all of them. */
function useFieldErrors<Values>(form: UseFormReturnType<Values>, failure: CallFailure | null): boolean {
  const { errors, isComplete } = failure
    ? formErrors(failure, form.getValues() as Record<string, unknown>)
    : NO_ERRORS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new failure sets sentences
  useEffect(() => {
    if (failure) form.setErrors(errors);
  }, [failure]);
  return isComplete;
}

const NO_ERRORS = { errors: {}, isComplete: false };
