import { useState } from 'react';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Empty } from '../../design/screen.tsx';
import { Count, Instant } from '../../design/values.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { type CallRowFragment, KeyCalledDocument, KeyCallsDocument } from './generated/keys.ts';

const SHOWN = 25;

interface KeyCallsProps {
  readonly apiKey: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** The latest calls with a key; new ones arrive by themselves. */
export function KeyCalls({ apiKey, onClose }: KeyCallsProps) {
  const t = useText();
  const { data, failure, reload } = useScreen(KeyCallsDocument, { apiKeyId: apiKey.id });
  const [live, setLive] = useState<readonly CallRowFragment[]>([]);
  useLive(
    KeyCalledDocument,
    { apiKeyId: apiKey.id },
    { onEvent: ({ callLogged }) => setLive((kept) => [callLogged, ...kept].slice(0, SHOWN)) },
  );
  const columns = useColumns();
  const known = new Set(live.map(({ id }) => id));
  const before = data?.callLog.nodes.filter(({ id }) => !known.has(id));
  return (
    <Dialog onClose={onClose} title={`${t('keys.calls')}: ${apiKey.name}`} size="xl">
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('keys.calls')}
          columns={columns}
          rows={before && [...live, ...before].slice(0, SHOWN)}
          rowKey={({ id }) => id}
          empty={<Empty title={t('keys.noCalls')} />}
        />
      )}
    </Dialog>
  );
}

function useColumns(): TableColumn<CallRowFragment>[] {
  const t = useText();
  return [
    { key: 'at', title: t('list.when'), cell: ({ calledAt }) => <Instant at={calledAt} /> },
    {
      key: 'operation',
      title: t('keys.operation'),
      cell: ({ channel, operation }) => `${channel} ${operation}`,
    },
    { key: 'status', title: t('members.status'), cell: ({ status }) => status, isNumber: true },
    {
      key: 'ms',
      title: t('keys.duration'),
      cell: ({ durationMs }) => <Count of={durationMs} />,
      isNumber: true,
    },
  ];
}
