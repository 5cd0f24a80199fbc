import { Button, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { None } from '../../design/values.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { useHiddenData } from '../../graph/hidden-data.ts';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { type Field, inputOf, shownValue, typedValue } from './attribute-values.ts';
import { CustomFieldsDocument, SetMemberAttributesDocument } from './generated/member.ts';
import { type ShownMember, useSeenVersion } from './shown-member.ts';

/** The values of a member's custom fields. */
export function Attributes({ member }: { readonly member: ShownMember }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const canSee = useCan('CustomFields');
  const canEdit = useCan('SetMemberAttributes');
  // Masked values must not be saved.
  const isHidden = useHiddenData();
  const { data } = useScreen(CustomFieldsDocument, {}, !canSee);
  const fields = data?.customFields.nodes ?? [];
  if (fields.length === 0) return null;
  const edit = canEdit && !isHidden && (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
      {t('dialog.edit')}
    </Button>
  );
  return (
    <Part title={t('member.attributes')} actions={edit}>
      <Stack gap="xs">
        {fields.map((field) => (
          <Fact key={field.key} label={field.label}>
            {shownValue(member.customAttributes[field.key]) ?? <None />}
          </Fact>
        ))}
      </Stack>
      {isOpen && <AttributesDialog member={member} fields={fields} onClose={() => setOpen(false)} />}
    </Part>
  );
}

type Values = Record<string, string | number | string[]>;

interface AttributesDialogProps {
  readonly member: ShownMember;
  readonly fields: readonly Field[];
  readonly onClose: () => void;
}

function AttributesDialog({
  member: { id, customAttributes, updatedAt },
  fields,
  onClose,
}: AttributesDialogProps) {
  const t = useText();
  const act = useAct(SetMemberAttributesDocument, [], () => t('toast.saved'));
  const seen = useSeenVersion(updatedAt, act.failure);
  const form = useForm<Values>({
    initialValues: Object.fromEntries(
      fields.map((field) => [field.key, inputOf(field, customAttributes[field.key])]),
    ),
  });
  const changed = (values: Values) =>
    Object.fromEntries(
      fields
        .filter(({ key }) => form.isDirty(key))
        .map((field) => [field.key, typedValue(field, values[field.key]!)]),
    );
  return (
    <FormDialog
      title={t('member.attributes')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({
        id,
        input: { customAttributes: changed(values) },
        ifUpdatedAt: seen,
      })}
      onDone={onClose}
      onClose={onClose}
    >
      {fields.map((field) => (
        <AttributeInput key={field.key} field={field} form={form} />
      ))}
    </FormDialog>
  );
}

interface AttributeInputProps {
  readonly field: Field;
  readonly form: UseFormReturnType<Values>;
}

function AttributeInput({ field: { key, label, type, options }, form }: AttributeInputProps) {
  const t = useText();
  const given = { label, ...form.getInputProps(key) };
  const none = { value: '', label: '–' };
  if (type === 'ENUM') return <NativeSelect {...given} data={[none, ...(options ?? [])]} />;
  if (type === 'LIST') return <MultiSelect {...given} data={options ?? []} />;
  if (type === 'NUMBER') return <NumberField {...given} decimals={10} isSigned />;
  if (type === 'DATE') return <TextInput {...given} type="date" />;
  if (type === 'BOOLEAN')
    return (
      <NativeSelect
        {...given}
        data={[none, { value: 'true', label: t('value.yes') }, { value: 'false', label: t('value.no') }]}
      />
    );
  return <TextInput {...given} />;
}
