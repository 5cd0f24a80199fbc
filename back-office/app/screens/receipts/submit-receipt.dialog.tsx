import { Progress, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { FileField } from '../../fields/file-field.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { SubmitReceiptDocument } from './generated/receipts.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
/** Maximum size of a picture: 5 MiB. */
const BYTES_MAX = 5 * 1024 * 1024;

interface SubmitReceiptProps {
  readonly onClose: () => void;
}

interface SubmitValues {
  readonly memberId: string;
  readonly file: File | null;
  /** The picture in base64. */
  readonly image: string;
  readonly storeId: string;
  readonly currency: string;
  readonly note: string;
}

/** Submits the picture of a receipt for a member. */
export function SubmitReceiptDialog({ onClose }: SubmitReceiptProps) {
  const t = useText();
  const act = useAct(SubmitReceiptDocument, ['Receipt'], () => t('toast.receiptSubmitted'));
  const form = useForm<SubmitValues>({
    initialValues: {
      memberId: '',
      file: null,
      image: '',
      storeId: '',
      currency: '',
      note: '',
    },
    validate: {
      memberId: requiredText(t),
      file: (file) => {
        if (!file) return t('form.required');
        if (!TYPES.includes(file.type)) return t('receipts.fileType');
        return file.size > BYTES_MAX ? t('receipts.fileSize') : null;
      },
    },
  });
  const choose = async (file: File | null) => {
    form.setFieldValue('file', file);
    form.setFieldValue('image', '');
    if (form.validateField('file').hasError || !file) return;
    form.setFieldValue('image', await base64Of(file));
  };
  return (
    <FormDialog
      title={t('receipts.submit')}
      submit={t('receipts.submit')}
      form={form}
      act={act}
      variables={({ memberId, image, storeId, currency, note }) => ({
        input: {
          memberId,
          image,
          storeId: storeId || null,
          currency: currency.trim() || null,
          note: note.trim() || null,
        },
      })}
      onDone={onClose}
      onClose={onClose}
    >
      <EntityPicker
        kind="member"
        label={t('member.title')}
        required
        data-autofocus
        {...form.getInputProps('memberId')}
      />
      <FileField
        label={t('receipts.file')}
        description={t('receipts.fileHint')}
        accept={TYPES.join(',')}
        value={form.values.file}
        onChange={(file) => void choose(file)}
        error={form.errors['file'] ?? form.errors['image']}
      />
      <Details form={form} />
      {act.isRunning && <Progress value={100} animated aria-label={t('imports.sending')} />}
    </FormDialog>
  );
}

interface DetailsProps {
  readonly form: UseFormReturnType<SubmitValues>;
}

/** Optional details of the receipt. */
function Details({ form }: DetailsProps) {
  const canPickStores = useCan('PickStores', 'PickedStore');
  const t = useText();
  return (
    <>
      {canPickStores && (
        <EntityPicker kind="store" label={t('orders.store')} {...form.getInputProps('storeId')} />
      )}
      <TextInput
        label={t('settings.currency')}
        description={t('receipts.currencyHint')}
        {...form.getInputProps('currency')}
        onChange={({ currentTarget: { value } }) => form.setFieldValue('currency', value.toUpperCase())}
      />
      <TextInput label={t('receipts.note')} {...form.getInputProps('note')} />
    </>
  );
}

/** Returns a file in base64. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
