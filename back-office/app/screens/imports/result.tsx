import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { FailureView } from '../../design/failure-view.tsx';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { Count } from '../../design/values.tsx';
import { type CallFailure, failureOf } from '../../graph/failures.ts';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { download } from '../../plots/csv.ts';
import { fileOfRows } from './faulty-rows.ts';
import {
  ImportFaultyRowsDocument,
  type ImportFaultyRowsQuery,
  ImportProgressDocument,
  type ImportRowFragment,
  RetryImportDocument,
} from './generated/imports.ts';
import { useProblemText } from './import-problems.tsx';

interface ResultProps {
  readonly row: ImportRowFragment;
  readonly onClose: () => void;
}

/** The live progress of an import and the result of its rows. After a retry it follows the new run. */
export function Result({ row, onClose }: ResultProps) {
  const [run, setRun] = useState({ row, number: 1 });
  const follow = (retried: ImportRowFragment) => setRun({ row: retried, number: run.number + 1 });
  return <OneRun key={run.number} row={run.row} onRetried={follow} onClose={onClose} />;
}

interface OneRunProps extends ResultProps {
  readonly onRetried: (row: ImportRowFragment) => void;
}

function OneRun({ row, onRetried, onClose }: OneRunProps) {
  const t = useText();
  const live = useLive(ImportProgressDocument, { id: row.id });
  const now = live?.importProgress ?? row;
  return (
    <Stack>
      <JobBar label={now.fileName ?? t('imports.title')} job={now} />
      <Group>
        {(['inserted', 'updated', 'skipped', 'failed'] as const).map((key) => (
          <Text key={key} size="sm">
            {t(`imports.${key}`)}: <Count of={now[key]} />
          </Text>
        ))}
      </Group>
      <RowsLeft row={now} onRetried={onRetried} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('dialog.close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface RowsLeftProps {
  readonly row: ImportRowFragment;
  readonly onRetried: (row: ImportRowFragment) => void;
}

/** The actions for rows that an import refused or did not read: download and retry. */
export function RowsLeft({ row, onRetried }: RowsLeftProps) {
  const t = useText();
  const [canDownload, canRetry] = [useCan('ImportFaultyRows'), useCan('RetryImport')];
  const retry = useAct(RetryImportDocument, [], ({ retryImport }) => ({
    text: t('toast.importStarted'),
    begun: retryImport.id,
  }));
  const { save, isSaving, failure } = useSavedRows(row);
  if (!hasEnded(row) || !row.isRetryable) return null;
  const failed = retry.failure ?? failure;
  return (
    <>
      {failed && <FailureView failure={failed} />}
      <Group>
        {canDownload && row.failed > 0 && (
          <Button variant="default" loading={isSaving} onClick={() => void save()}>
            {t('imports.download')}
          </Button>
        )}
        {canRetry && (
          <Button
            variant="default"
            loading={retry.isRunning}
            onClick={() => void retry.run({ id: row.id }).then((data) => data && onRetried(data.retryImport))}
          >
            {t('imports.retry')}
          </Button>
        )}
      </Group>
    </>
  );
}

/** Reads the refused rows page by page, and saves them as a file. */
function useSavedRows({ id, fileName }: ImportRowFragment) {
  const client = useClient();
  const textOf = useProblemText();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);

  async function read(): Promise<ImportFaultyRowsQuery['importFaultyRows'][] | null> {
    const pages: ImportFaultyRowsQuery['importFaultyRows'][] = [];
    for (;;) {
      const afterRow = pages.at(-1)?.rows.at(-1)?.row ?? 0;
      const { data, error } = await client
        .query(ImportFaultyRowsDocument, { id, afterRow }, { requestPolicy: 'network-only' })
        .toPromise();
      if (error) setFailure(failureOf(error));
      if (!data) return null;
      if (data.importFaultyRows.rows.length === 0) return pages;
      pages.push(data.importFaultyRows);
    }
  }

  async function save(): Promise<void> {
    if (isSaving || !textOf) return;
    setSaving(true);
    setFailure(null);
    const pages = await read();
    setSaving(false);
    if (!pages) return;
    const { name, text } = fileOfRows(pages, fileName ?? null, textOf);
    download(name, text, name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson');
  }
  return { save, isSaving, failure };
}
