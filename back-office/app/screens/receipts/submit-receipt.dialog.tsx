import { FileInput, NativeSelect, Progress, Select, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { ReceiptMembersDocument, SubmitReceiptDocument } from './generated/receipts.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
/** 5 MiB. */
const BYTES_MAX = 5 * 1024 * 1024;
const TYPING_MS = 250;

interface SubmitReceiptProps {
  readonly stores: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

interface SubmitValues {
  readonly memberId: string;
  readonly file: File | null;
  /** Base64. */
  readonly image: string;
  readonly storeId: string;
  readonly currency: string;
  readonly note: string;
}

/** Sends the picture of a receipt for a member. */
export function SubmitReceiptDialog({ stores, onClose }: SubmitReceiptProps) {
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
      memberId: (id) => (id ? null : t('form.required')),
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
      <MemberSelect
        value={form.values.memberId}
        error={form.errors['memberId']}
        onChange={(id) => form.setFieldValue('memberId', id ?? '')}
      />
      <FileInput
        label={t('receipts.file')}
        description={t('receipts.fileHint')}
        accept={TYPES.join(',')}
        clearable
        clearButtonProps={{ 'aria-label': t('dialog.clear') }}
        value={form.values.file}
        onChange={(file) => void choose(file)}
        error={form.errors['file'] ?? form.errors['image']}
      />
      <Details form={form} stores={stores} />
      {act.isRunning && <Progress value={100} animated aria-label={t('imports.sending')} />}
    </FormDialog>
  );
}

interface DetailsProps extends Pick<SubmitReceiptProps, 'stores'> {
  readonly form: UseFormReturnType<SubmitValues>;
}

/** What may be said beside the picture. */
function Details({ form, stores }: DetailsProps) {
  const t = useText();
  const none = { value: '', label: t('receipts.noStore') };
  return (
    <>
      {stores.length > 0 && (
        <NativeSelect
          label={t('orders.store')}
          data={[none, ...stores.map(({ id, name }) => ({ value: id, label: name }))]}
          {...form.getInputProps('storeId')}
        />
      )}
      <TextInput
        label={t('settings.currency')}
        description={t('receipts.currencyHint')}
        maxLength={3}
        {...form.getInputProps('currency')}
        onChange={({ currentTarget: { value } }) => form.setFieldValue('currency', value.toUpperCase())}
      />
      <TextInput label={t('receipts.note')} maxLength={500} {...form.getInputProps('note')} />
    </>
  );
}

interface MemberSelectProps {
  /** An id; '' for none. */
  readonly value: string;
  readonly error: ReactNode;
  readonly onChange: (id: string | null) => void;
}

/** Members whose names begin with what is typed, or with that address. */
function MemberSelect({ value, error, onChange }: MemberSelectProps) {
  const t = useText();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data } = useScreen(ReceiptMembersDocument, { search }, search === '');
  const members = data?.members.nodes ?? [];
  return (
    <Select
      label={t('member.title')}
      description={t('receipts.memberHint')}
      data-autofocus
      searchable
      openOnFocus={false}
      filter={({ options }) => options}
      data={members.map(({ id, name }) => ({ value: id, label: name ?? t('member.unnamed') }))}
      value={value || null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage={search && data ? t('receipts.noMember') : undefined}
      error={error}
    />
  );
}

/** A file's bytes as the graph takes them. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
