import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { JobBar } from '../../design/job-bar.tsx';
import { NumberField } from '../../design/number-field.tsx';
import { numberRules, requiredNumber, type TypedNumber } from '../../design/typed-numbers.ts';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import {
  BulkAwardMembersDocument,
  BulkAwardProgressDocument,
  type BulkAwardRowFragment,
  StartBulkAwardDocument,
} from './generated/bulk-award.ts';
import { filterOf, type MembersSearch } from './members-search.ts';

interface BulkAwardProps {
  readonly search: MembersSearch;
  readonly onDone: () => void;
}

/** Points for all members of a status or a tier; other conditions it cannot have. */
export function BulkAward({ search, onDone }: BulkAwardProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const [job, setJob] = useState<BulkAwardRowFragment | null>(null);
  const canAward = useCan('StartBulkAward', 'BulkAwardProgress', 'BulkAwardMembers');
  if (!canAward || search.search || search.tag || search.points) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: 'flex-start' }}>
        {t('bulk.award')}
      </Button>
      {job && <Progress key={job.id} job={job} onDone={onDone} />}
      {isOpen && (
        <BulkAwardDialog
          search={search}
          onClose={() => setOpen(false)}
          onDone={(started) => {
            setOpen(false);
            setJob(started);
          }}
        />
      )}
    </>
  );
}

function Progress({ job, onDone }: { readonly job: BulkAwardRowFragment; readonly onDone: () => void }) {
  const t = useText();
  const data = useLive(
    BulkAwardProgressDocument,
    { id: job.id },
    { onEvent: ({ bulkAwardProgress }) => bulkAwardProgress.state.startsWith('COMPLETED') && onDone() },
  );
  const { amount } = job;
  return <JobBar label={t('bulk.awards', { amount })} job={data?.bulkAwardProgress ?? job} />;
}

interface BulkAwardDialogProps {
  readonly search: MembersSearch;
  readonly onClose: () => void;
  readonly onDone: (job: BulkAwardRowFragment) => void;
}

function BulkAwardDialog({ search, onClose, onDone }: BulkAwardDialogProps) {
  const t = useText();
  const act = useAct(StartBulkAwardDocument, [], () => t('said.awarding'));
  const { tierId, status } = filterOf(search);
  const whom = { tierId, status: status ?? (tierId ? null : ('ACTIVE' as const)) };
  const { data } = useScreen(BulkAwardMembersDocument, whom);
  const form = useForm<{ amount: TypedNumber; description: string }>({
    initialValues: { amount: '', description: '' },
    validate: {
      amount: numberRules(t).positive,
      description: (text) => (text.trim() ? null : t('form.required')),
    },
  });
  return (
    <FormDialog
      title={t('bulk.award')}
      submit={t('bulk.start')}
      form={form}
      act={act}
      variables={({ amount, description }) => ({
        input: { amount: requiredNumber(amount), description, ...whom },
      })}
      onDone={({ startBulkAward }) => onDone(startBulkAward)}
      onClose={onClose}
    >
      <Text aria-live="polite">{data && t('bulk.members', { count: data.members.totalCount })}</Text>
      <NumberField
        label={t('points.amount')}
        unit={t('unit.points')}
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={t('points.description')} maxLength={500} {...form.getInputProps('description')} />
    </FormDialog>
  );
}
