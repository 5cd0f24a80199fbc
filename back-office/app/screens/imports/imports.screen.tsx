import { Button, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  CancelImportDocument,
  ImportIssuesDocument,
  type ImportIssuesQuery,
  ImportProgressDocument,
  type ImportRowFragment,
  ImportsDocument,
} from './generated/imports.ts';
import { UploadDialog } from './upload.dialog.tsx';

const route = getRouteApi('/imports');

type Issue = NonNullable<ImportIssuesQuery['import']>['issues'][number];
type Open = { readonly act: 'upload' } | { readonly act: 'issues'; readonly row: ImportRowFragment };

export default function Imports() {
  const t = useText();
  return (
    <Guarded title={t('imports.title')} document="Imports">
      <ImportsScreen />
    </Guarded>
  );
}

function ImportsScreen() {
  const t = useText();
  const cursors = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, failure, reload } = useScreen(ImportsDocument, pageOf(cursors));
  const canAdd = useCan('CreateMemberImport');
  const rows = data?.imports.nodes;
  const running = rows?.filter((row) => row.status !== 'UPLOADING' && !hasEnded(row)) ?? [];
  return (
    <Screen
      title={t('imports.title')}
      actions={canAdd && <Button onClick={() => setOpen({ act: 'upload' })}>{t('imports.add')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      {running.map((row) => (
        <Running key={row.id} row={row} onEnd={reload} />
      ))}
      <DataTable
        label={t('imports.title')}
        columns={useColumns((row) => setOpen({ act: 'issues', row }))}
        rows={rows}
        rowKey={({ id }) => id}
        empty={<Empty title={t('imports.none')} call="POST /api/v2/members/import" />}
      />
      <Pager page={data?.imports.pageInfo} onMove={(place) => void navigate({ search: place })} />
      {open?.act === 'upload' && <UploadDialog onClose={() => setOpen(null)} />}
      {open?.act === 'issues' && <Issues row={open.row} onClose={() => setOpen(null)} />}
    </Screen>
  );
}

/** A running import, here and in every other window that shows it. */
function Running({ row, onEnd }: { readonly row: ImportRowFragment; readonly onEnd: () => void }) {
  const [t, word] = [useText(), useWord()];
  const cancel = useAct(CancelImportDocument, [], () => t('said.importCancelled'));
  const canCancel = useCan('CancelImport');
  const data = useLive(
    ImportProgressDocument,
    { id: row.id },
    { onEvent: ({ importProgress }) => hasEnded(importProgress) && onEnd() },
  );
  const now = data?.importProgress ?? row;
  return (
    <Group align="end" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <JobBar label={`${word(row.kind)} ${row.format}`} job={now} />
      </div>
      {canCancel && (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isRunning}
          onClick={() => void cancel.run({ id: row.id })}
        >
          {t('dialog.cancel')}
        </Button>
      )}
    </Group>
  );
}

function useColumns(showIssues: (row: ImportRowFragment) => void): TableColumn<ImportRowFragment>[] {
  const [t, word] = [useText(), useWord()];
  const count = (key: 'inserted' | 'updated' | 'skipped' | 'failed'): TableColumn<ImportRowFragment> => ({
    key,
    title: t(`imports.${key}`),
    cell: (row) => <Count of={row[key]} />,
    isNumber: true,
  });
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'kind', title: t('imports.kind'), cell: ({ kind, format }) => `${word(kind)}, ${format}` },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    count('inserted'),
    count('updated'),
    count('skipped'),
    count('failed'),
    {
      key: 'issues',
      title: t('list.acts'),
      cell: (row) =>
        row.failed + row.skipped > 0 || row.failure ? (
          <Button size="compact-sm" variant="default" onClick={() => showIssues(row)}>
            {t('imports.why')}
          </Button>
        ) : (
          <None />
        ),
    },
  ];
}

/** Why rows were refused or skipped. */
function Issues({ row, onClose }: { readonly row: ImportRowFragment; readonly onClose: () => void }) {
  const t = useText();
  const { data, failure, reload } = useScreen(ImportIssuesDocument, { id: row.id });
  const columns: TableColumn<Issue>[] = [
    { key: 'row', title: t('imports.row'), cell: ({ row: number }) => <Count of={number} />, isNumber: true },
    { key: 'column', title: t('imports.column'), cell: ({ column }) => column ?? <None /> },
    { key: 'message', title: t('imports.problem'), cell: ({ message }) => message },
  ];
  return (
    <Dialog onClose={onClose} size="lg" title={t('imports.why')}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('imports.why')}
          columns={columns}
          rows={data && (data.import?.issues ?? [])}
          rowKey={({ row: number, column, message }) => `${number} ${column} ${message}`}
          empty={<Empty title={row.failure ?? t('list.none')} />}
        />
      )}
    </Dialog>
  );
}
