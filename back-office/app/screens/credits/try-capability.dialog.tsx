import { Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact } from '../../design/part.tsx';
import { Count, Status } from '../../design/values.tsx';
import { JsonField } from '../../fields/json-field.tsx';
import { SchemaFields, useSchemaForm } from '../../fields/schema-form.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { readable, useText, useWord } from '../../messages/text.ts';
import {
  CallCapabilityDocument,
  type CallCapabilityMutation,
  CapabilitiesDocument,
  type CapabilitiesQuery,
} from './generated/try-capability.ts';

type Capability = CapabilitiesQuery['capabilities'][number];
type Result = CallCapabilityMutation['callCapability'];

interface TryDialogProps {
  readonly onClose: () => void;
}

/** Calls a capability of the model once, and shows the answer. */
export default function TryDialog({ onClose }: TryDialogProps) {
  const t = useText();
  const { data, failure, reload } = useScreen(CapabilitiesDocument, {});
  const [name, setName] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  // Only capabilities that read are offered: others would record data.
  const capabilities = data?.capabilities.filter(({ scope }) => scope.endsWith(':read'));
  const chosen = capabilities?.find((each) => each.name === name) ?? capabilities?.[0];
  if (result) return <Answer result={result} onAgain={() => setResult(null)} onClose={onClose} />;
  if (!capabilities || !chosen)
    return (
      <Dialog title={t('capability.try')} onClose={onClose} isDrawer>
        {failure ? <FailureView failure={failure} onRetry={reload} /> : <Skeleton height={240} />}
      </Dialog>
    );
  return (
    <CallForm key={chosen.name} capability={chosen} onDone={setResult} onClose={onClose}>
      <NativeSelect
        label={t('capability.one')}
        value={chosen.name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        data={capabilities.map((each) => ({
          value: each.name,
          label: readable(each.name.replace(/^model_/, '')),
        }))}
        data-autofocus
      />
    </CallForm>
  );
}

interface CallFormProps extends TryDialogProps {
  readonly capability: Capability;
  readonly onDone: (result: Result) => void;
  readonly children: ReactNode;
}

function CallForm({ capability, onDone, onClose, children }: CallFormProps) {
  const t = useText();
  const { name, description, inputSchema, cost } = capability;
  const { fields, form, objectOf } = useSchemaForm(inputSchema);
  const act = useAct(CallCapabilityDocument, ['Wallet', 'CreditEntry']);
  return (
    <FormDialog
      title={t('capability.try')}
      submit={t('capability.call')}
      form={form}
      act={act}
      variables={(typed) => ({ name, arguments: objectOf(typed) })}
      onDone={({ callCapability }) => onDone(callCapability)}
      onClose={onClose}
      isLong
    >
      {children}
      <Text size="sm" c="dimmed">
        {description.replaceAll('`', '')}
      </Text>
      <SchemaFields fields={fields} form={form} pickers={{ member_id: 'member' }} />
      <Text size="sm">{t('capability.cost', { cost })}</Text>
    </FormDialog>
  );
}

interface AnswerProps extends TryDialogProps {
  readonly result: Result;
  readonly onAgain: () => void;
}

function Answer({ result: { envelope, data }, onAgain, onClose }: AnswerProps) {
  const [t, word] = [useText(), useWord()];
  const { status, limitations, creditsCharged } = envelope;
  return (
    <Dialog title={t('capability.answer')} onClose={onClose} isDrawer>
      <Stack>
        <div>
          <Fact text="members.status">
            <Status of={status} />
          </Fact>
          <Fact text="capability.charged">
            <Count of={creditsCharged} />
          </Fact>
          {limitations.map((code) => (
            <Fact key={code} text="capability.limitation">
              {word(code)}
            </Fact>
          ))}
        </div>
        {data && (
          <JsonField
            label={t('capability.data')}
            value={JSON.stringify(data, null, 2)}
            isReadOnly
            rows={16}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onAgain} data-autofocus>
            {t('capability.again')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
