import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { RecordVisitDocument } from './generated/member-visits.ts';

interface RecordVisitProps {
  readonly memberId: string;
  readonly onClose: () => void;
}

/** Records a visit of the member to a store today. */
export default function RecordVisitDialog({ memberId, onClose }: RecordVisitProps) {
  const t = useText();
  const act = useAct(RecordVisitDocument, [], () => t('toast.visit'));
  const form = useForm({
    initialValues: { storeId: '' },
    validate: { storeId: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('visits.record')}
      submit={t('visits.record')}
      form={form}
      act={act}
      variables={({ storeId }) => ({ memberId, storeId })}
      onDone={onClose}
      onClose={onClose}
    >
      <EntityPicker
        kind="store"
        label={t('visits.store')}
        required
        data-autofocus
        {...form.getInputProps('storeId')}
      />
    </FormDialog>
  );
}
