import { Fieldset, NativeSelect, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { type EntityKind, EntityPicker } from './entity-picker.tsx';
import { JsonField } from './json-field.tsx';
import { NumberField } from './number-field.tsx';
import { fieldsOf, type JsonSchema, type SchemaField } from './schema-fields.ts';
import {
  faultsByKey,
  faultsOf,
  isSwitch,
  objectOf,
  optionOf,
  type PathFault,
  type TypedValues,
  typedOf,
} from './schema-values.ts';

/** A form for an object that a JSON Schema describes. */
interface SchemaForm {
  readonly fields: readonly SchemaField[];
  readonly form: UseFormReturnType<TypedValues>;
  /** Converts the typed values into the object. */
  readonly objectOf: (typed: TypedValues) => Record<string, unknown>;
}

/** @param given - initial values. Default: those of the schema */
export function useSchemaForm(schema: JsonSchema, given?: Readonly<Record<string, unknown>>): SchemaForm {
  const t = useText();
  const { timeZone } = useViewer().workspace;
  const [fields] = useState(() => fieldsOf(schema));
  const form = useForm<TypedValues>({
    initialValues: typedOf(fields, timeZone, given),
    validate: (typed) => faultsOf(fields, typed, t),
  });
  return { fields, form, objectOf: (typed) => objectOf(fields, typed, timeZone) };
}

interface SchemaFieldsProps extends Pick<SchemaForm, 'fields' | 'form'> {
  /** Errors that the server returned. */
  readonly faults?: readonly PathFault[];
  /** Kinds of objects whose ids are picked instead of typed, by field name. */
  readonly pickers?: Readonly<Record<string, EntityKind>>;
}

/** The inputs of a form from `useSchemaForm`, each with its error. */
export function SchemaFields({ fields, form, faults = [], pickers = {} }: SchemaFieldsProps) {
  const found = faultsByKey(fields, faults);
  return (
    <Stack>
      {fields.map((field) => (
        <Field key={field.key} field={field} form={form} found={found} pickers={pickers} />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly field: SchemaField;
  readonly form: UseFormReturnType<TypedValues>;
  readonly found: Readonly<Record<string, string>>;
  readonly pickers: Readonly<Record<string, EntityKind>>;
}

function Field({ field, form, found, pickers }: FieldProps) {
  const { key, label, description, isRequired: required } = field;
  if (field.kind === 'group')
    return (
      <Fieldset legend={label}>
        <Stack>
          {description && <Text c="dimmed">{description}</Text>}
          {field.fields.map((each) => (
            <Field key={each.key} field={each} form={form} found={found} pickers={pickers} />
          ))}
          {found[key] && <Text c="var(--mantine-color-error)">{found[key]}</Text>}
        </Stack>
      </Fieldset>
    );
  if (field.kind === 'fixed')
    return <TextInput label={label} description={description} value={String(field.value)} readOnly />;
  const inputProps = form.getInputProps(key);
  const given = { label, description, required, ...inputProps, error: inputProps.error ?? found[key] };
  if (field.kind === 'number')
    return (
      <NumberField
        {...given}
        decimals={field.isWhole ? 0 : DECIMALS}
        isSigned={field.range.least === null || field.range.least < 0}
      />
    );
  if (field.kind === 'texts') return <TagsInput {...given} />;
  if (field.kind === 'json') return <JsonField {...given} rows={5} />;
  if (field.kind === 'text') {
    const picked = pickers[field.name];
    if (picked) return <EntityPicker {...given} kind={picked} />;
    return <TextInput {...given} type={(field.format && TYPES[field.format]) ?? 'text'} />;
  }
  return <Choice field={field} given={given} />;
}

const DECIMALS = 10;
const TYPES: Readonly<Record<string, string>> = { date: 'date', 'date-time': 'datetime-local' };

interface ChoiceProps {
  readonly field: Extract<SchemaField, { kind: 'choice' | 'flag' }>;
  readonly given: ReturnType<UseFormReturnType<TypedValues>['getInputProps']> & {
    readonly label: string;
    readonly description: string | null;
  };
}

/** A select for a choice or an optional flag; a switch for a required flag. */
function Choice({ field, given }: ChoiceProps) {
  const t = useText();
  if (field.kind === 'flag' && isSwitch(field)) {
    const { label, description, error, value, onChange } = given;
    return (
      <Switch
        label={label}
        description={description}
        error={error}
        checked={value === 'true'}
        onChange={({ currentTarget: { checked } }) => onChange(String(checked))}
      />
    );
  }
  const options =
    field.kind === 'choice'
      ? field.options.map((each) => ({ value: optionOf(each), label: String(each) }))
      : [
          { value: 'true', label: t('value.yes') },
          { value: 'false', label: t('value.no') },
        ];
  return <NativeSelect {...given} data={[{ value: '', label: '–' }, ...options]} />;
}
