import { Button, NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Screen } from '../../design/screen.tsx';
import { numberRules, optionalNumber, requiredNumber, type TypedNumber } from '../../design/typed-numbers.ts';
import { Count } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useReloadViewer } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  SettingsDocument,
  type SettingsQuery,
  UpdateLimitsDocument,
  UpdateProgramDocument,
  UpdateWorkspaceDocument,
} from './generated/settings.ts';

type Workspace = NonNullable<SettingsQuery['workspace']>;
type Program = SettingsQuery['program'];
const LIMITS = [
  'valueCap',
  'requestsPerMinute',
  'modelRequestsPerMinute',
  'valueWritesPerMinute',
  'recordWritesPerMinute',
] as const;
const BASES = ['LIFETIME', 'ROLLING'] as const;
const POLICIES = ['NONE', 'ONE_STEP', 'TO_EARNED'] as const;

export default function Settings() {
  const t = useText();
  return (
    <Guarded title={t('settings.title')} document="Settings">
      <SettingsScreen />
    </Guarded>
  );
}

function SettingsScreen() {
  const [t, word] = [useText(), useWord()];
  const [open, setOpen] = useState<'workspace' | 'limits' | 'program' | null>(null);
  const { data, failure, reload } = useScreen(SettingsDocument, {});
  const can = {
    workspace: useCan('UpdateWorkspace'),
    limits: useCan('UpdateLimits'),
    program: useCan('UpdateProgram'),
  };
  const { workspace, program } = data ?? {};
  const close = () => setOpen(null);
  const edit = (part: keyof typeof can) =>
    can[part] && (
      <Button
        size="xs"
        variant="default"
        onClick={() => setOpen(part)}
        aria-label={`${t('dialog.edit')}: ${t(`settings.${part}`)}`}
      >
        {t('dialog.edit')}
      </Button>
    );
  return (
    <Screen title={t('settings.title')} failure={failure} onRetry={reload}>
      {workspace && program && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Part title={t('settings.workspace')} actions={edit('workspace')}>
            <Fact text="settings.name">{workspace.name}</Fact>
            <Fact text="settings.timeZone">{workspace.timeZone}</Fact>
            <Fact text="settings.currency">{workspace.currency}</Fact>
          </Part>
          <Part title={t('settings.program')} actions={edit('program')}>
            <Fact text="settings.expireAfter">
              <Count of={program.pointsExpireAfterDays} />
            </Fact>
            <Fact text="settings.pending">
              <Count of={program.pointsPendingDays} />
            </Fact>
            <Fact text="settings.basis">{word(program.tierBasis)}</Fact>
            <Fact text="settings.period">
              <Count of={program.tierPeriodDays} />
            </Fact>
            <Fact text="settings.policy">{word(program.downgradePolicy)}</Fact>
          </Part>
          <Part title={t('settings.limits')} actions={edit('limits')}>
            {LIMITS.map((name) => (
              <Fact text={`settings.${name}`} key={name}>
                <Count of={workspace.limits[name]} />
              </Fact>
            ))}
          </Part>
        </SimpleGrid>
      )}
      {open === 'workspace' && workspace && <WorkspaceDialog workspace={workspace} onClose={close} />}
      {open === 'limits' && workspace && <LimitsDialog workspace={workspace} onClose={close} />}
      {open === 'program' && program && <ProgramDialog program={program} onClose={close} />}
    </Screen>
  );
}

function WorkspaceDialog({
  workspace,
  onClose,
}: {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}) {
  const t = useText();
  const reloadViewer = useReloadViewer();
  const act = useAct(UpdateWorkspaceDocument);
  const { name, timeZone, currency } = workspace;
  const form = useForm({ initialValues: { name, timeZone, currency } });
  return (
    <FormDialog
      title={t('settings.workspace')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(input) => ({ input })}
      onDone={() => {
        reloadViewer();
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput label={t('settings.name')} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('settings.timeZone')}
        list="time-zones"
        required
        {...form.getInputProps('timeZone')}
      />
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextInput label={t('settings.currency')} maxLength={3} required {...form.getInputProps('currency')} />
    </FormDialog>
  );
}

function LimitsDialog({
  workspace: { limits },
  onClose,
}: {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}) {
  const t = useText();
  const act = useAct(UpdateLimitsDocument);
  const { positive } = numberRules(t);
  const form = useForm<Record<(typeof LIMITS)[number], TypedNumber>>({
    initialValues: {
      valueCap: limits.valueCap,
      requestsPerMinute: limits.requestsPerMinute,
      modelRequestsPerMinute: limits.modelRequestsPerMinute,
      valueWritesPerMinute: limits.valueWritesPerMinute,
      recordWritesPerMinute: limits.recordWritesPerMinute,
    },
    validate: {
      valueCap: positive,
      requestsPerMinute: positive,
      modelRequestsPerMinute: positive,
      valueWritesPerMinute: positive,
      recordWritesPerMinute: positive,
    },
  });
  return (
    <FormDialog
      title={t('settings.limits')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({
        input: Object.fromEntries(LIMITS.map((name) => [name, requiredNumber(values[name])])),
      })}
      onDone={onClose}
      onClose={onClose}
    >
      {LIMITS.map((name) => (
        <NumberInput
          key={name}
          label={t(`settings.${name}`)}
          min={1}
          allowDecimal={false}
          required
          {...form.getInputProps(name)}
        />
      ))}
    </FormDialog>
  );
}

function ProgramDialog({ program, onClose }: { readonly program: Program; readonly onClose: () => void }) {
  const [t, word] = [useText(), useWord()];
  const act = useAct(UpdateProgramDocument);
  const form = useForm<{
    pointsExpireAfterDays: TypedNumber;
    pointsPendingDays: TypedNumber;
    tierBasis: (typeof BASES)[number];
    tierPeriodDays: TypedNumber;
    downgradePolicy: (typeof POLICIES)[number];
  }>({
    initialValues: {
      pointsExpireAfterDays: program.pointsExpireAfterDays ?? '',
      pointsPendingDays: program.pointsPendingDays ?? '',
      tierBasis: program.tierBasis,
      tierPeriodDays: program.tierPeriodDays ?? '',
      downgradePolicy: program.downgradePolicy,
    },
  });
  return (
    <FormDialog
      title={t('settings.program')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={({ pointsExpireAfterDays, pointsPendingDays, tierPeriodDays, ...rest }) => ({
        input: {
          ...rest,
          pointsExpireAfterDays: optionalNumber(pointsExpireAfterDays),
          pointsPendingDays: optionalNumber(pointsPendingDays),
          tierPeriodDays: optionalNumber(tierPeriodDays),
        },
      })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberInput
        label={t('settings.expireAfter')}
        min={1}
        allowDecimal={false}
        {...form.getInputProps('pointsExpireAfterDays')}
      />
      <NumberInput
        label={t('settings.pending')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('pointsPendingDays')}
      />
      <NativeSelect
        label={t('settings.basis')}
        data={BASES.map((value) => ({ value, label: word(value) }))}
        {...form.getInputProps('tierBasis')}
      />
      <NumberInput
        label={t('settings.period')}
        min={1}
        allowDecimal={false}
        {...form.getInputProps('tierPeriodDays')}
      />
      <NativeSelect
        label={t('settings.policy')}
        data={POLICIES.map((value) => ({ value, label: word(value) }))}
        {...form.getInputProps('downgradePolicy')}
      />
    </FormDialog>
  );
}
