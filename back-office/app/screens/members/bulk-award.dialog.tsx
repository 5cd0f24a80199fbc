import { List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, requiredText, type TypedNumber } from '../../fields/typed-values.ts';
import { formFaults } from '../../graph/failures.ts';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  type BulkAwardRowFragment,
  PreviewBulkAwardDocument,
  type PreviewBulkAwardQuery,
  StartBulkAwardDocument,
} from './generated/bulk-award.ts';
import { filterOf, type MembersSearch } from './members-search.ts';

/** The recipients: selected members, or all members that match conditions. */
type Recipients = { readonly memberIds: readonly string[] } | ReturnType<typeof conditionsOf>;

interface BulkAwardDialogProps {
  readonly recipients: Recipients;
  readonly tiers: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onDone: (job: BulkAwardRowFragment) => void;
}

const TYPING_MS = 250;

/**
 * Asks for the points, then for confirmation with the totals, because a bulk award cannot be reverted at
 * once.
 */
export function BulkAwardDialog({ recipients, tiers, onClose, onDone }: BulkAwardDialogProps) {
  const t = useText();
  const [isConfirming, setConfirming] = useState(false);
  const act = useAct(StartBulkAwardDocument, ['BulkAward'], ({ startBulkAward }) => ({
    text: t('toast.awarding'),
    begun: startBulkAward.id,
  }));
  const form = useForm<{ amount: TypedNumber; description: string }>({
    initialValues: { amount: '', description: '' },
    validate: {
      amount: numberRules(t).positive,
      description: requiredText(t),
    },
  });
  const [typed] = useDebouncedValue(form.values.amount, TYPING_MS);
  const amount = typeof typed === 'number' && typed > 0 ? typed : null;
  const { data, failure, reload } = useScreen(PreviewBulkAwardDocument, {
    input: { amount: amount ?? 1, ...inputOf(recipients) },
  });
  // An error of an input is shown at the input after the form is sent.
  const isOfInput = failure !== null && formFaults(failure, form.values).isComplete;
  const preview = data?.previewBulkAward;
  const points = (preview?.members ?? 0) * (amount ?? 0);
  /** The first submit shows the totals, the second awards the points. */
  const run: typeof act.run = async (variables) => {
    if (!isConfirming) {
      setConfirming(true);
      return null;
    }
    const answer = await act.run(variables);
    if (!answer) setConfirming(false);
    return answer;
  };
  return (
    <FormDialog
      title={t('memberIds' in recipients ? 'bulk.awardSelected' : 'bulk.award')}
      submit={isConfirming ? t('bulk.confirm', { points }) : t('bulk.start')}
      form={form}
      act={{ ...act, run }}
      variables={({ amount: each, description }) => ({
        input: { amount: requiredNumber(each), description, ...inputOf(recipients) },
      })}
      onDone={({ startBulkAward }) => onDone(startBulkAward)}
      onClose={onClose}
    >
      {!('memberIds' in recipients) && <Conditions of={recipients} tiers={tiers} />}
      {failure && !isOfInput && <FailureView failure={failure} onRetry={reload} />}
      {preview && <Preview of={preview} amount={amount} />}
      {isConfirming ? (
        <Text fw={600}>{t('bulk.ask', { description: form.values.description })}</Text>
      ) : (
        <>
          <NumberField
            label={t('points.amount')}
            unit={t('unit.points')}
            required
            data-autofocus
            {...form.getInputProps('amount')}
          />
          <TextInput label={t('points.description')} required {...form.getInputProps('description')} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the conditions of the list. Default without a filter: active members. */
export function conditionsOf(search: MembersSearch) {
  const { tierId, status, tag, pointsMin } = filterOf(search);
  const hasFilter = tierId !== null || status !== null || tag !== null || pointsMin !== null;
  return { tierId, tag, pointsMin, status: hasFilter ? status : ('ACTIVE' as const) };
}

const inputOf = (recipients: Recipients) =>
  'memberIds' in recipients ? { memberIds: [...recipients.memberIds] } : recipients;

interface ConditionsProps extends Pick<BulkAwardDialogProps, 'tiers'> {
  readonly of: ReturnType<typeof conditionsOf>;
}

/** The conditions in words. */
function Conditions({ of: { tierId, status, tag, pointsMin }, tiers }: ConditionsProps) {
  const [t, word] = [useText(), useWord()];
  const conditions = [
    ...(status ? [`${t('members.status')}: ${word(status)}`] : []),
    ...(tierId ? [`${t('members.tier')}: ${tiers.find(({ id }) => id === tierId)?.name ?? tierId}`] : []),
    ...(tag ? [`${t('members.tag')}: ${tag}`] : []),
    ...(pointsMin !== null ? [`${t('members.pointsMin')}: ${pointsMin}`] : []),
  ];
  return (
    <Text size="sm">
      {t('bulk.whom')} {conditions.join(' · ')}
    </Text>
  );
}

interface PreviewProps {
  readonly of: PreviewBulkAwardQuery['previewBulkAward'];
  /** Null until a number is typed. */
  readonly amount: number | null;
}

function Preview({ of: { members, exclusions }, amount }: PreviewProps) {
  const [t, word] = [useText(), useWord()];
  return (
    <Stack gap={4} aria-live="polite">
      <Text>
        {t('bulk.members', { count: members })}
        {amount !== null && ` ${t('bulk.sum', { points: members * amount })}`}
      </Text>
      {exclusions.length > 0 && (
        <List size="sm">
          {exclusions.map(({ reason, members: count }) => (
            <List.Item key={reason}>{t('bulk.excluded', { count, reason: word(reason) })}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
