import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { type ToastOf, useAct } from '../graph/use-act.ts';
import { FormDialog } from './form-dialog.tsx';
import type { Danger } from './typed-name.tsx';

interface ConfirmDialogProps<Data, Variables> {
  /** What is done; the button says the same. */
  readonly title: string;
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** Types that it changes without answering with them. */
  readonly changes?: readonly string[];
  readonly toast: ToastOf<Data, Variables>;
  readonly danger?: Danger;
  readonly onClose: () => void;
  /** What it leads to. */
  readonly children: ReactNode;
}

/** Asks once more before something is done that needs no input. */
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
