import { Alert, Button, Group, NativeSelect, Progress, Stack } from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { FileField } from '../../fields/file-field.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import {
  AppendImportDocument,
  CreateMemberImportDocument,
  CreateOrderImportDocument,
  type ImportRowFragment,
} from './generated/imports.ts';

type Kind = 'MEMBERS' | 'ORDERS';

interface ChooseFileProps {
  /** An import with an incomplete upload: its file is sent again. Null for a new import. */
  readonly row: ImportRowFragment | null;
  /** Is a file being sent? Then the dialog asks for confirmation before it closes. */
  readonly isSending: RefObject<boolean>;
  readonly onUploaded: (row: ImportRowFragment) => void;
}

/** Uploads a file in parts. After a failure the parts are sent again to the same import. */
function useUpload({ row, isSending, onUploaded }: ChooseFileProps) {
  const [sent, setSent] = useState<number | null>(null);
  const created = useRef<{ readonly file: File; readonly row: ImportRowFragment } | null>(null);
  const members = useAct(CreateMemberImportDocument);
  const orders = useAct(CreateOrderImportDocument);
  const append = useAct(AppendImportDocument, ['ImportJob']);

  async function upload(kind: Kind, chosen: File): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setSent(0);
    const opened = await rowOf(kind, chosen);
    const uploaded = opened && (await sendParts(opened, chosen));
    isSending.current = false;
    setSent(null);
    if (uploaded) onUploaded(uploaded);
  }

  async function rowOf(kind: Kind, chosen: File): Promise<ImportRowFragment | null> {
    if (row) return row;
    if (created.current?.file === chosen) return created.current.row;
    const format = chosen.name.toLowerCase().endsWith('.csv') ? ('CSV' as const) : ('NDJSON' as const);
    const input = { format, parts: partCount(chosen), fileName: chosen.name };
    const opened =
      kind === 'MEMBERS'
        ? (await members.run({ input }))?.createMemberImport
        : (await orders.run({ input }))?.createOrderImport;
    if (opened) created.current = { file: chosen, row: opened };
    return opened ?? null;
  }

  async function sendParts(opened: ImportRowFragment, chosen: File): Promise<ImportRowFragment | null> {
    const parts = partCount(chosen);
    for await (const { part, data } of partsOf(chosen)) {
      if (!(await append.run({ id: opened.id, part, data }))) return null;
      setSent((part + 1) / parts);
    }
    return { ...opened, parts, missingParts: 0 };
  }
  return { upload, sent, failure: members.failure ?? orders.failure ?? append.failure };
}

/** Chooses a file and sends it. */
export function ChooseFile(props: ChooseFileProps) {
  const { row } = props;
  const t = useText();
  const [kind, setKind] = useState<Kind>('MEMBERS');
  const [file, setFile] = useState<File | null>(null);
  const { upload, sent, failure } = useUpload(props);
  const isOther = Boolean(row && file && row.parts !== null && row.parts !== partCount(file));
  return (
    <Stack>
      {!row && (
        <NativeSelect
          label={t('imports.kind')}
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value === 'ORDERS' ? 'ORDERS' : 'MEMBERS')}
          data={[
            { value: 'MEMBERS', label: t('members.title') },
            { value: 'ORDERS', label: t('orders.title') },
          ]}
        />
      )}
      <FileField
        label={t('imports.file')}
        description={row ? t('imports.again', { file: row.fileName ?? '' }) : t('imports.fileHint')}
        accept=".csv,.ndjson,.jsonl"
        value={file}
        onChange={setFile}
      />
      {isOther && <Alert color="yellow">{t('imports.otherFile')}</Alert>}
      {sent !== null && <Progress value={100 * sent} aria-label={t('imports.sending')} />}
      {failure && <FailureView failure={failure} />}
      <Group justify="flex-end">
        <Button
          disabled={!file || isOther}
          loading={sent !== null}
          onClick={() => file && void upload(kind, file)}
        >
          {t('imports.read')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Bytes per part of a file, the maximum of `appendImport`. */
const PART_BYTES = 184_320;

/** Yields the parts of a file in base64. An empty file has one part. */
async function* partsOf(file: Blob): AsyncGenerator<{ readonly part: number; readonly data: string }> {
  const count = partCount(file);
  for (let part = 0; part < count; part += 1) {
    const bytes = await file.slice(part * PART_BYTES, (part + 1) * PART_BYTES).bytes();
    yield { part, data: base64(bytes) };
  }
}

const partCount = ({ size }: Pick<Blob, 'size'>): number => Math.max(1, Math.ceil(size / PART_BYTES));

const CHUNK = 8_192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
