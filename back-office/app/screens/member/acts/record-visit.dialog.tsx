import { NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../../design/form-dialog.tsx';
import { useAct } from '../../../graph/use-act.ts';
import { useScreen } from '../../../graph/use-screen.ts';
import { useText } from '../../../messages/text.ts';
import { RecordVisitDocument, StoresToChooseDocument } from './generated/record-visit.ts';

interface RecordVisitProps {
  readonly memberId: string;
  readonly onClose: () => void;
}

/** Records that a member is in a store today. */
export default function RecordVisitDialog({ memberId, onClose }: RecordVisitProps) {
  const t = useText();
  const act = useAct(RecordVisitDocument, [], () => t('toast.visit'));
  const { data } = useScreen(StoresToChooseDocument, {});
  const form = useForm({
    initialValues: { storeId: '' },
    validate: { storeId: (store) => (store ? null : t('form.required')) },
  });
  const stores = (data?.stores.nodes ?? []).map(({ id: value, name: label }) => ({ value, label }));
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
      <NativeSelect
        label={t('visits.store')}
        required
        data-autofocus
        data={[{ value: '', label: '–' }, ...stores]}
        {...form.getInputProps('storeId')}
      />
    </FormDialog>
  );
}
