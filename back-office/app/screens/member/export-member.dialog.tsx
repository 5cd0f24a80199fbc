import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useClient } from 'urql';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { JobBar } from '../../design/job-bar.tsx';
import { Instant } from '../../design/values.tsx';
import { JsonField } from '../../fields/json-field.tsx';
import { type CallFailure, failureOf } from '../../graph/failures.ts';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useText } from '../../messages/text.ts';
import { download } from '../../plots/csv.ts';
import {
  MemberExportContentDocument,
  MemberExportProgressDocument,
  type MemberExportRowFragment,
  RequestMemberExportDocument,
} from './generated/export-member.ts';
import type { MemberDialogProps } from './shown-member.ts';

/** Exports all stored data of a member, as a file for that person. */
export default function ExportDialog({ member: { id }, onClose }: MemberDialogProps) {
  const t = useText();
  const [job, setJob] = useState<MemberExportRowFragment | null>(null);
  const act = useAct(RequestMemberExportDocument);
  const form = useForm({ initialValues: {} });
  if (job) return <ExportProgress memberId={id} requested={job} onClose={onClose} />;
  return (
    <FormDialog
      title={t('memberExport.title')}
      submit={t('memberExport.start')}
      form={form}
      act={act}
      variables={() => ({ memberId: id })}
      onDone={({ requestMemberExport }) => setJob(requestMemberExport)}
      onClose={onClose}
    >
      {t('memberExport.text')}
    </FormDialog>
  );
}

interface ExportProgressProps {
  readonly memberId: string;
  readonly requested: MemberExportRowFragment;
  readonly onClose: () => void;
}

function ExportProgress({ memberId, requested, onClose }: ExportProgressProps) {
  const t = useText();
  const { id } = requested;
  const job = useLive(MemberExportProgressDocument, { id })?.memberExportProgress ?? requested;
  const { read, failure, isRunning } = useExportText(id);
  const [shown, setShown] = useState<string | null>(null);
  async function save(): Promise<void> {
    const text = shown ?? (await read());
    if (text !== null) download(`member-${memberId}.json`, `${text}\n`, 'application/json');
  }
  return (
    <Dialog onClose={onClose} title={t('memberExport.title')} size="lg">
      <Stack>
        <JobBar label={t('memberExport.title')} job={job} />
        {job.failure && <Alert color="red" role="alert" title={t('error.general')} />}
        {job.state === 'COMPLETED' && (
          <>
            <Text size="sm">
              {t('memberExport.until')} <Instant at={job.expiresAt} />
            </Text>
            <Group grow>
              <Button
                variant="default"
                onClick={async () => setShown(await read())}
                disabled={isRunning || shown !== null}
              >
                {t('memberExport.show')}
              </Button>
              <Button onClick={() => void save()} loading={isRunning}>
                {t('memberExport.download')}
              </Button>
            </Group>
            {shown !== null && (
              <JsonField label={t('memberExport.content')} value={shown} isReadOnly rows={16} />
            )}
          </>
        )}
        {failure && <FailureView failure={failure} />}
      </Stack>
    </Dialog>
  );
}

/** Reads the document only on demand. */
function useExportText(id: string) {
  const client = useClient();
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isRunning, setRunning] = useState(false);
  async function read(): Promise<string | null> {
    setRunning(true);
    const { data, error } = await client
      .query(MemberExportContentDocument, { id }, { requestPolicy: 'network-only' })
      .toPromise();
    setRunning(false);
    setFailure(error ? failureOf(error) : null);
    const content = data?.memberExport?.content;
    return content ? JSON.stringify(content, null, 2) : null;
  }
  return { read, failure, isRunning };
}
