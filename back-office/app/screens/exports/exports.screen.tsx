import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { hasEnded } from '../../design/job-bar.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useText, useWord } from '../../messages/text.ts';
import { Download, ExportProgress } from './export-progress.tsx';
import { CancelExportDocument, type ExportRowFragment, ExportsDocument } from './generated/exports.ts';

const route = getRouteApi('/exports');

export default function Exports() {
  const t = useText();
  return (
    <Guarded title={t('exports.title')} document="Exports">
      <ExportsScreen />
    </Guarded>
  );
}

/** The exports, until they expire. Running ones are followed live. */
function ExportsScreen() {
  const t = useText();
  const place = route.useSearch();
  const navigate = route.useNavigate();
  const [stopped, setStopped] = useState<ExportRowFragment | null>(null);
  const { data, failure, reload } = useScreen(ExportsDocument, pageOf(place));
  const rows = data?.exports.nodes;
  return (
    <Screen title={t('exports.title')} failure={failure} onRetry={reload}>
      {rows
        ?.filter((row) => !hasEnded(row))
        .map((row) => (
          <ExportProgress key={row.id} row={row} onEnd={reload} onStop={() => setStopped(row)} />
        ))}
      <DataTable
        label={t('exports.title')}
        columns={useColumns()}
        rows={rows}
        rowKey={({ id }) => id}
        list="exports"
        empty={<Empty title={t('exports.none')} />}
      />
      <Pager
        page={data?.exports.pageInfo}
        size={place.size}
        hasSizes
        onMove={(moved) => void navigate({ search: moved })}
      />
      {stopped && (
        <ConfirmDialog
          title={t('exports.stop')}
          document={CancelExportDocument}
          variables={{ id: stopped.id }}
          toast={() => ({ text: t('toast.exportStopped'), stopped: stopped.id })}
          onClose={() => setStopped(null)}
        >
          {t('exports.stopText')}
        </ConfirmDialog>
      )}
    </Screen>
  );
}

function useColumns(): TableColumn<ExportRowFragment>[] {
  const [t, word] = [useText(), useWord()];
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      key: 'kind',
      title: t('imports.kind'),
      cell: ({ kind, format }) => `${word(kind)}, ${format === 'CSV' ? 'CSV' : 'JSON Lines'}`,
    },
    { key: 'status', title: t('members.status'), cell: ({ state }) => <Status of={state} /> },
    { key: 'rows', title: t('exports.count'), cell: ({ total }) => <Count of={total} />, isNumber: true },
    { key: 'who', title: t('audit.who'), cell: ({ requestedBy }) => requestedBy?.name ?? <None /> },
    {
      key: 'expires',
      title: t('exports.until'),
      cell: ({ state, expiresAt }) => (state === 'COMPLETED' ? <Instant at={expiresAt} /> : <None />),
    },
    {
      key: 'file',
      title: t('imports.file'),
      cell: (row) => {
        if (row.state === 'COMPLETED') return <Download row={row} />;
        return row.failure ? t('exports.failed') : <None />;
      },
    },
  ];
}
