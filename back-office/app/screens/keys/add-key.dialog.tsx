import { Button, Checkbox, Group, NativeSelect, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { CreateApiKeyDocument, ScopeCatalogDocument, type ScopeCatalogQuery } from './generated/keys.ts';

interface AddKeyProps {
  readonly onClose: () => void;
  /** Called with the secret, which the API returns only once. */
  readonly onDone: (secret: string) => void;
}

export function AddKeyDialog({ onClose, onDone }: AddKeyProps) {
  const t = useText();
  const { mode } = useViewer();
  const { data } = useScreen(ScopeCatalogDocument, {});
  const act = useAct(CreateApiKeyDocument);
  const form = useForm<{ name: string; scopes: string[]; mode: 'LIVE' | 'TEST' }>({
    initialValues: { name: '', scopes: [], mode },
    validate: {
      name: requiredText(t),
      scopes: (chosen) => (chosen.length > 0 ? null : t('form.required')),
    },
  });
  return (
    <FormDialog
      title={t('keys.add')}
      submit={t('keys.add')}
      form={form}
      act={act}
      variables={(input) => ({ input })}
      onDone={({ createApiKey: { secret } }) => onDone(secret)}
      onClose={onClose}
      isLong
    >
      <TextInput label={t('keys.name')} required data-autofocus {...form.getInputProps('name')} />
      <NativeSelect
        label={t('keys.mode')}
        data={[
          { value: 'LIVE', label: t('mode.live') },
          { value: 'TEST', label: t('mode.test') },
        ]}
        {...form.getInputProps('mode')}
      />
      {data && (
        <Scopes
          catalog={data.scopeCatalog}
          value={form.values.scopes}
          error={form.errors['scopes']}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        />
      )}
    </FormDialog>
  );
}

interface ScopesProps {
  readonly catalog: ScopeCatalogQuery['scopeCatalog'];
  readonly value: string[];
  readonly error: ReactNode;
  readonly onChange: (scopes: string[]) => void;
}

/** The scopes with their descriptions. A preset selects all its scopes. */
function Scopes({ catalog, value, error, onChange }: ScopesProps) {
  const t = useText();
  return (
    <Stack gap="xs">
      <Group gap="xs" role="group" aria-label={t('keys.presets')}>
        <Text size="sm">{t('keys.presets')}</Text>
        {catalog.presets.map(({ name, label, scopes }) => (
          <Button key={name} size="compact-sm" variant="default" onClick={() => onChange([...scopes])}>
            {label}
          </Button>
        ))}
      </Group>
      <Checkbox.Group
        label={t('keys.scopes')}
        description={t('keys.chosen', { count: value.length })}
        error={error}
        required
        value={value}
        onChange={onChange}
      >
        <ScrollArea.Autosize mah={260} type="auto" mt="xs" viewportProps={{ tabIndex: 0 }}>
          <Stack gap="xs" p={4}>
            {catalog.scopes.map(({ name, description, isOfModel }) => (
              <Checkbox
                key={name}
                value={name}
                label={name}
                description={isOfModel ? `${description} ${t('keys.expires')}` : description}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Checkbox.Group>
    </Stack>
  );
}
