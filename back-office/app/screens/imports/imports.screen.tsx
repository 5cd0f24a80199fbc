import { Button, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { type TextKey, useText, useWord } from '../../messages/text.ts';
import {
  CancelImportDocument,
  ImportIssuesDocument,
  type ImportIssuesQuery,
  ImportProgressDocument,
  type ImportRowFragment,
  ImportsDocument,
} from './generated/imports.ts';
import { ImportDialog } from './import.dialog.tsx';
import { useProblemText } from './import-problems.tsx';
import { RowsLeft } from './result.tsx';

const route = getRouteApi('/imports');

type Issue = NonNullable<ImportIssuesQuery['import']>['issues'][number];
type RowAct = 'issues' | 'continue' | 'stop';
type Open = { readonly act: 'upload' } | { readonly act: RowAct; readonly row: ImportRowFragment };

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
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, failure, reload } = useScreen(ImportsDocument, pageOf(place));
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
        <Running key={row.id} row={row} onEnd={reload} onStop={() => setOpen({ act: 'stop', row })} />
      ))}
      <DataTable
        label={t('imports.title')}
        columns={useColumns((act, row) => setOpen({ act, row }))}
        rows={rows}
        rowKey={({ id }) => id}
        list="imports"
        empty={<Empty title={t('imports.none')} call="POST /api/v2/members/import" />}
      />
      <Pager
        page={data?.imports.pageInfo}
        size={place.size}
        hasSizes
        onMove={(moved) => void navigate({ search: moved })}
      />
      {open?.act === 'upload' && <ImportDialog row={null} onClose={() => setOpen(null)} />}
      {open?.act === 'continue' && <ImportDialog row={open.row} onClose={() => setOpen(null)} />}
      {open?.act === 'stop' && <StopDialog row={open.row} onClose={() => setOpen(null)} />}
      {open?.act === 'issues' && <Issues row={open.row} onClose={() => setOpen(null)} />}
    </Screen>
  );
}

/** The progress of a running import. All open windows follow it. */
interface RunningProps {
  readonly row: ImportRowFragment;
  readonly onEnd: () => void;
  readonly onStop: () => void;
}

function Running({ row, onEnd, onStop }: RunningProps) {
  const [t, word] = [useText(), useWord()];
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
        <JobBar label={row.fileName ?? `${word(row.kind)} ${row.format}`} job={now} />
      </div>
      {canCancel && (
        <Button size="xs" variant="default" onClick={onStop}>
          {t('imports.stop')}
        </Button>
      )}
    </Group>
  );
}

function useColumns(open: (act: RowAct, row: ImportRowFragment) => void): TableColumn<ImportRowFragment>[] {
  const [t, word] = [useText(), useWord()];
  const count = (key: 'inserted' | 'updated' | 'skipped' | 'failed'): TableColumn<ImportRowFragment> => ({
    key,
    title: t(`imports.${key}`),
    cell: (row) => <Count of={row[key]} />,
    isNumber: true,
  });
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'file', title: t('imports.fileName'), cell: ({ fileName }) => fileName ?? <None /> },
    { key: 'kind', title: t('imports.kind'), cell: ({ kind, format }) => `${word(kind)}, ${format}` },
    { key: 'status', title: t('members.status'), cell: (row) => <State of={row} /> },
    count('inserted'),
    count('updated'),
    count('skipped'),
    count('failed'),
    {
      key: 'issues',
      title: t('list.acts'),
      cell: (row) => <RowActs row={row} onChoose={open} />,
    },
  ];
}

/** The state of an import. For an import that has not started: can it start? */
function State({ of }: { readonly of: ImportRowFragment }) {
  const t = useText();
  if (of.status !== 'UPLOADING') return <Status of={of.status} />;
  return t(of.missingParts === 0 ? 'imports.ready' : 'imports.incomplete');
}

interface RowActsProps {
  readonly row: ImportRowFragment;
  readonly onChoose: (act: RowAct, row: ImportRowFragment) => void;
}

function RowActs({ row, onChoose }: RowActsProps) {
  const t = useText();
  const [canStart, canStop] = [useCan('PreviewImport', 'StartImport'), useCan('CancelImport')];
  const isUploading = row.status === 'UPLOADING';
  const button = (act: RowAct, text: TextKey) => (
    <Button size="compact-sm" variant="default" onClick={() => onChoose(act, row)}>
      {t(text)}
    </Button>
  );
  if (isUploading)
    return (
      <Group gap="xs" wrap="nowrap">
        {canStart && row.missingParts !== null && button('continue', 'imports.open')}
        {canStop && button('stop', 'imports.throwAway')}
      </Group>
    );
  if (row.failed + row.skipped > 0 || row.failure || row.isRetryable) return button('issues', 'imports.why');
  return <None />;
}

/** Cancels an import, or discards a file whose import has not started. */
function StopDialog({ row, onClose }: { readonly row: ImportRowFragment; readonly onClose: () => void }) {
  const [t, word] = [useText(), useWord()];
  const isUploading = row.status === 'UPLOADING';
  return (
    <ConfirmDialog
      title={t(isUploading ? 'imports.throwAway' : 'imports.stop')}
      document={CancelImportDocument}
      variables={{ id: row.id }}
      toast={() => ({ text: t(isUploading ? 'toast.thrown' : 'toast.importCancelled'), stopped: row.id })}
      danger={{ name: `${word(row.kind)}, ${row.format}` }}
      onClose={onClose}
    >
      {t(isUploading ? 'imports.throwText' : 'imports.stopText')}
    </ConfirmDialog>
  );
}

/** Why rows were refused or skipped. */
function Issues({ row, onClose }: { readonly row: ImportRowFragment; readonly onClose: () => void }) {
  const t = useText();
  const textOf = useProblemText();
  const { data, failure, reload } = useScreen(ImportIssuesDocument, { id: row.id });
  const columns: TableColumn<Issue>[] = [
    { key: 'row', title: t('imports.row'), cell: ({ row: number }) => <Count of={number} />, isNumber: true },
    { key: 'column', title: t('imports.column'), cell: ({ column }) => column ?? <None /> },
    { key: 'message', title: t('imports.problem'), cell: (issue) => textOf?.(issue) },
  ];
  return (
    <Dialog onClose={onClose} size="lg" title={t('imports.why')}>
      {row.fileName && <Text size="sm">{row.fileName}</Text>}
      <RowsLeft row={row} onRetried={onClose} />
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('imports.why')}
          columns={columns}
          rows={data && (data.import?.issues ?? [])}
          rowKey={({ row: number, column, field, rule }) => `${number} ${column} ${field} ${rule}`}
          empty={<Empty title={t(row.failure ? 'error.general' : 'list.none')} />}
        />
      )}
    </Dialog>
  );
}
