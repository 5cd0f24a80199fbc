import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { changedValues } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { UpdateMemberDocument } from './generated/member-acts.ts';
import { type MemberDialogProps, useSeenVersion } from './shown-member.ts';

export default function EditDialog({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const act = useAct(UpdateMemberDocument, [], () => t('toast.saved'));
  const { id, name, phone, externalId, updatedAt } = member;
  // The initial values of the form. The member may be read again while the form is open.
  const [before] = useState({ fullName: name ?? '', phone: phone ?? '', externalId: externalId ?? '' });
  const seen = useSeenVersion(updatedAt, act.failure);
  const form = useForm({ initialValues: before });
  return (
    <FormDialog
      title={t('member.edit')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({ id, input: inputOf(values, before), ifUpdatedAt: seen })}
      onDone={onClose}
      onClose={onClose}
      isLong
    >
      <TextInput label={t('members.name')} data-autofocus {...form.getInputProps('fullName')} />
      <TextInput label={t('member.phone')} type="tel" {...form.getInputProps('phone')} />
      <TextInput label={t('members.externalId')} {...form.getInputProps('externalId')} />
    </FormDialog>
  );
}

type Details = Record<'fullName' | 'phone' | 'externalId', string>;

/** Returns the changed values. An emptied value is null, which deletes it. */
const inputOf = (values: Details, before: Details): Partial<Record<keyof Details, string | null>> =>
  Object.fromEntries(
    Object.entries(changedValues(values, before)).map(([name, value]) => [name, value || null]),
  );
