import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { CreateCaptureDocument } from './generated/captures.ts';

interface AddCaptureProps {
  /** May the viewer search for stores? */
  readonly hasStores: boolean;
  readonly onClose: () => void;
}

/** Records the e-mail address of a visitor, in a store or online. */
export function AddCaptureDialog({ hasStores, onClose }: AddCaptureProps) {
  const t = useText();
  const act = useAct(CreateCaptureDocument, ['Capture'], () => t('toast.captureAdded'));
  const form = useForm({
    initialValues: { email: '', storeId: '' },
    validate: { email: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('captures.add')}
      submit={t('captures.add')}
      form={form}
      act={act}
      variables={({ email, storeId }) => ({ input: { email: email.trim(), storeId: storeId || null } })}
      onDone={onClose}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label={t('members.email')}
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      {hasStores && (
        <EntityPicker kind="store" label={t('orders.store')} {...form.getInputProps('storeId')} />
      )}
    </FormDialog>
  );
}
