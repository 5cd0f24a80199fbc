import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Screen } from '../../design/screen.tsx';
import { Count, None } from '../../design/values.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import {
  changedValues,
  numberRules,
  optionalNumber,
  requiredNumber,
  requiredText,
  type TypedNumber,
} from '../../fields/typed-values.ts';
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
type Limits = Record<(typeof LIMITS)[number], TypedNumber>;
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
              <Days of={program.pointsExpireAfterDays} />
            </Fact>
            <Fact text="settings.pending">
              <Days of={program.pointsPendingDays} />
            </Fact>
            <Fact text="settings.basis">{word(program.tierBasis)}</Fact>
            <Fact text="settings.period">
              <Days of={program.tierPeriodDays} />
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

function Days({ of }: { readonly of: number | null | undefined }) {
  const t = useText();
  return of == null ? <None /> : t('value.days', { days: of });
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
  const act = useAct(UpdateWorkspaceDocument, [], () => t('toast.saved'));
  const { name, timeZone, currency } = workspace;
  const form = useForm({
    initialValues: { name, timeZone, currency },
    validate: { name: requiredText(t), timeZone: requiredText(t), currency: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('settings.workspace')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({ input: changedValues(values, form.getInitialValues()) })}
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
      <TextInput label={t('settings.currency')} required {...form.getInputProps('currency')} />
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
  const act = useAct(UpdateLimitsDocument, [], () => t('toast.saved'));
  const { positive } = numberRules(t);
  const form = useForm<Limits>({
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
  const input = (values: Limits) =>
    Object.fromEntries(LIMITS.map((name) => [name, requiredNumber(values[name])]));
  return (
    <FormDialog
      title={t('settings.limits')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(values) => ({ input: changedValues(input(values), input(form.getInitialValues())) })}
      onDone={onClose}
      onClose={onClose}
    >
      {LIMITS.map((name) => (
        <NumberField key={name} label={t(`settings.${name}`)} required {...form.getInputProps(name)} />
      ))}
    </FormDialog>
  );
}

interface ProgramForm {
  pointsExpireAfterDays: TypedNumber;
  pointsPendingDays: TypedNumber;
  tierBasis: (typeof BASES)[number];
  tierPeriodDays: TypedNumber;
  downgradePolicy: (typeof POLICIES)[number];
}

const programOf = (values: ProgramForm) => ({
  ...values,
  pointsExpireAfterDays: optionalNumber(values.pointsExpireAfterDays),
  pointsPendingDays: optionalNumber(values.pointsPendingDays),
  tierPeriodDays: optionalNumber(values.tierPeriodDays),
});

function ProgramDialog({ program, onClose }: { readonly program: Program; readonly onClose: () => void }) {
  const [t, word] = [useText(), useWord()];
  const act = useAct(UpdateProgramDocument, [], () => t('toast.saved'));
  const form = useForm<ProgramForm>({
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
      variables={(values) => ({
        input: changedValues(programOf(values), programOf(form.getInitialValues())),
      })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        label={t('settings.expireAfter')}
        unit={t('unit.days')}
        {...form.getInputProps('pointsExpireAfterDays')}
      />
      <NumberField
        label={t('settings.pending')}
        unit={t('unit.days')}
        {...form.getInputProps('pointsPendingDays')}
      />
      <NativeSelect
        label={t('settings.basis')}
        data={BASES.map((value) => ({ value, label: word(value) }))}
        {...form.getInputProps('tierBasis')}
      />
      <NumberField
        label={t('settings.period')}
        unit={t('unit.days')}
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
