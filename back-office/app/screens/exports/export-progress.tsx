import { Button, Group } from '@mantine/core';
import { useClient } from 'urql';
import { hasEnded, JobBar } from '../../design/job-bar.tsx';
import { say } from '../../graph/toasts.ts';
import { useLive } from '../../graph/use-live.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportLinkDocument, ExportProgressDocument, type ExportRowFragment } from './generated/exports.ts';

interface ExportProgressProps {
  readonly row: ExportRowFragment;
  readonly onEnd?: () => void;
  /** Opens the confirmation to cancel. Without it there is no button. */
  readonly onStop?: () => void;
}

/** The progress of an export, and its file when it is complete. All open windows follow it. */
export function ExportProgress({ row, onEnd, onStop }: ExportProgressProps) {
  const t = useText();
  const canCancel = useCan('CancelExport');
  const data = useLive(
    ExportProgressDocument,
    { id: row.id },
    { onEvent: ({ exportProgress }) => hasEnded(exportProgress) && onEnd?.() },
  );
  const now = data?.exportProgress ?? row;
  return (
    <Group align="end" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <JobBar label={now.fileName} job={now} />
      </div>
      {onStop && canCancel && !hasEnded(now) && (
        <Button size="xs" variant="default" onClick={onStop}>
          {t('exports.stop')}
        </Button>
      )}
      {now.state === 'COMPLETED' && <Download row={now} />}
    </Group>
  );
}

/** Saves the file. A link is valid for fifteen minutes, so each click requests a new one. */
export function Download({ row: { id, fileName } }: { readonly row: ExportRowFragment }) {
  const t = useText();
  const client = useClient();
  async function save(): Promise<void> {
    const context = { requestPolicy: 'network-only' } as const;
    const { data } = await client.query(ExportLinkDocument, { id }, context).toPromise();
    const url = data?.export?.downloadUrl;
    if (url) window.location.assign(new URL(url).pathname);
    else say({ text: t('exports.gone') });
  }
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t('exports.downloadOf', { name: fileName })}
      onClick={() => void save()}
    >
      {t('exports.download')}
    </Button>
  );
}
