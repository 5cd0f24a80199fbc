import {
  Alert,
  Button,
  FileInput,
  Group,
  List,
  NativeSelect,
  Progress,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import {
  AppendImportDocument,
  CreateMemberImportDocument,
  CreateOrderImportDocument,
  PreviewImportDocument,
  StartImportDocument,
} from './generated/imports.ts';
import { partCount, partsOf } from './upload.ts';

/** A file whose parts have all arrived. */
interface Uploaded {
  readonly id: string;
  readonly parts: number;
}

/** Shows again how a file is read that was uploaded and not started. */
export function PreviewDialog({ uploaded, onClose }: PreviewProps) {
  const t = useText();
  return (
    <Dialog onClose={onClose} title={t('imports.add')} size="lg">
      <Preview uploaded={uploaded} onClose={onClose} />
    </Dialog>
  );
}

/** Sends a file, shows how its first rows are read, and starts the import only then. */
export function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [uploaded, setUploaded] = useState<Uploaded | null>(null);
  const isSending = useRef(false);
  return (
    <Dialog onClose={onClose} title={t('imports.add')} size="lg" hasTyped={() => isSending.current}>
      {uploaded ? (
        <Preview uploaded={uploaded} onClose={onClose} />
      ) : (
        <Choose isSending={isSending} onUploaded={setUploaded} />
      )}
    </Dialog>
  );
}

interface ChooseProps {
  /** Of the dialog, which asks before it is closed meanwhile. */
  readonly isSending: RefObject<boolean>;
  readonly onUploaded: (uploaded: Uploaded) => void;
}

function Choose({ isSending, onUploaded }: ChooseProps) {
  const t = useText();
  const [kind, setKind] = useState<'MEMBERS' | 'ORDERS'>('MEMBERS');
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const members = useAct(CreateMemberImportDocument);
  const orders = useAct(CreateOrderImportDocument);
  const append = useAct(AppendImportDocument);

  async function upload(chosen: File): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setSent(0);
    const uploaded = await sendParts(chosen);
    isSending.current = false;
    setSent(null);
    if (uploaded) onUploaded(uploaded);
  }

  async function sendParts(chosen: File): Promise<Uploaded | null> {
    const parts = partCount(chosen);
    const input = { format: chosen.name.endsWith('.csv') ? ('CSV' as const) : ('NDJSON' as const), parts };
    const id = await (kind === 'MEMBERS'
      ? members.run({ input }).then((data) => data?.createMemberImport.id)
      : orders.run({ input }).then((data) => data?.createOrderImport.id));
    if (!id) return null;
    for await (const { part, data } of partsOf(chosen)) {
      if (!(await append.run({ id, part, data }))) return null;
      setSent((part + 1) / parts);
    }
    return { id, parts };
  }
  const failure = members.failure ?? orders.failure ?? append.failure;
  return (
    <Stack>
      <NativeSelect
        label={t('imports.kind')}
        value={kind}
        onChange={({ currentTarget: { value } }) => setKind(value === 'ORDERS' ? 'ORDERS' : 'MEMBERS')}
        data={[
          { value: 'MEMBERS', label: t('members.title') },
          { value: 'ORDERS', label: t('orders.title') },
        ]}
      />
      <FileInput
        label={t('imports.file')}
        description={t('imports.fileHint')}
        accept=".csv,.ndjson,.jsonl"
        value={file}
        onChange={setFile}
        clearButtonProps={{ 'aria-label': t('dialog.clear') }}
      />
      {sent !== null && <Progress value={100 * sent} aria-label={t('imports.sending')} />}
      {failure && <FailureView failure={failure} />}
      <Group justify="flex-end">
        <Button disabled={!file} loading={sent !== null} onClick={() => file && void upload(file)}>
          {t('imports.read')}
        </Button>
      </Group>
    </Stack>
  );
}

interface PreviewProps {
  readonly uploaded: Uploaded;
  readonly onClose: () => void;
}

function Preview({ uploaded: { id, parts }, onClose }: PreviewProps) {
  const t = useText();
  const { data, failure, reload } = useScreen(PreviewImportDocument, { id });
  const start = useAct(StartImportDocument, [], () => t('toast.importStarted'));
  const preview = data?.previewImport;
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!preview) return <Text>{t('list.loading')}</Text>;
  const used = preview.columns.filter(({ field }) => field);
  const ignored = preview.columns.filter(({ field }) => !field);
  return (
    <Stack>
      <Table.ScrollContainer minWidth={300}>
        <Table aria-label={t('imports.firstRows')}>
          <Table.Thead>
            <Table.Tr>
              {used.map(({ column, header, field }) => (
                <Table.Th key={column}>
                  {header} → {field}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.rows.slice(0, 5).map(({ row, values }) => (
              <Table.Tr key={row}>
                {used.map(({ column, field }) => (
                  <Table.Td key={column}>{textOf(values[field ?? ''])}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {ignored.length > 0 && (
        <Text size="sm">
          {t('imports.ignored', { columns: ignored.map(({ header }) => header).join(', ') })}
        </Text>
      )}
      {preview.issues.length > 0 && (
        <Alert color="yellow" title={t('imports.issues')}>
          <List size="sm">
            {preview.issues.slice(0, 10).map(({ row, message }) => (
              <List.Item key={`${row} ${message}`}>
                {t('imports.row')} {row}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {start.failure && <FailureView failure={start.failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('dialog.cancel')}
        </Button>
        <Button
          loading={start.isRunning}
          onClick={() => void start.run({ id, parts }).then((started) => started && onClose())}
        >
          {t('imports.start')}
        </Button>
      </Group>
    </Stack>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value ?? '') : String(value ?? '');
