import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Empty } from '../../design/screen.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import {
  ImportFieldsDocument,
  type ImportFieldsQuery,
  type ImportRowFragment,
  PreviewImportDocument,
  type PreviewImportQuery,
  RemapImportDocument,
} from './generated/imports.ts';
import { useFieldName } from './import-problems.tsx';

type Column = PreviewImportQuery['previewImport']['columns'][number];
type Field = ImportFieldsQuery['importFields'][number];

interface MapColumnsProps {
  readonly row: ImportRowFragment;
  readonly onDone: () => void;
}

/** Maps the columns of an uploaded file to fields. Suggested fields are preselected. */
export function MapColumns({ row, onDone }: MapColumnsProps) {
  const t = useText();
  const preview = useScreen(PreviewImportDocument, { id: row.id });
  const fields = useScreen(ImportFieldsDocument, { kind: row.kind });
  const failed = [preview, fields].find(({ failure }) => failure);
  if (failed?.failure) return <FailureView failure={failed.failure} onRetry={failed.reload} />;
  if (!preview.data || !fields.data) return <Text>{t('list.loading')}</Text>;
  const { columns } = preview.data.previewImport;
  return <Mapping id={row.id} columns={columns} fields={fields.data.importFields} onDone={onDone} />;
}

interface MappingProps {
  readonly id: string;
  readonly columns: readonly Column[];
  readonly fields: readonly Field[];
  readonly onDone: () => void;
}

function Mapping({ id, columns, fields, onDone }: MappingProps) {
  const t = useText();
  const nameOf = useFieldName();
  const remap = useAct(RemapImportDocument, ['ImportPreview']);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(columns.map(({ header, field, suggestion }) => [header, field ?? suggestion ?? ''])),
  );
  const filled = Object.values(chosen).filter(Boolean);
  const named = (of: readonly Field[]) => of.map(({ name, label }) => nameOf(name, label)).join(', ');
  const missing = fields.filter(({ name, isRequired }) => isRequired && !filled.includes(name));
  const doubled = fields.filter(({ name }) => filled.indexOf(name) !== filled.lastIndexOf(name));

  async function save(): Promise<void> {
    const mapping = Object.fromEntries(columns.map(({ header }) => [header, chosen[header] || null]));
    if (await remap.run({ id, mapping })) onDone();
  }
  const shown: TableColumn<Column>[] = [
    { key: 'header', title: t('imports.column'), cell: ({ header }) => header },
    { key: 'examples', title: t('imports.examples'), cell: ({ examples }) => examples.join(' · ') },
    {
      key: 'field',
      title: t('imports.fills'),
      cell: ({ header, field, suggestion }) => (
        <NativeSelect
          aria-label={t('imports.fillsOf', { column: header })}
          description={!field && suggestion && chosen[header] === suggestion ? t('imports.suggested') : null}
          value={chosen[header] ?? ''}
          onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [header]: value })}
          data={[
            { value: '', label: t('imports.leaveOut') },
            ...fields.map(({ name, label }) => ({ value: name, label: nameOf(name, label) })),
          ]}
        />
      ),
    },
  ];
  if (columns.length === 0) {
    return (
      <Stack>
        <Text>{t('imports.noColumns')}</Text>
        <Next isRunning={false} onPress={onDone} />
      </Stack>
    );
  }
  return (
    <Stack>
      <DataTable
        label={t('imports.map')}
        columns={shown}
        rows={columns}
        rowKey={({ column }) => column}
        empty={<Empty title={t('imports.noColumns')} />}
      />
      {missing.length > 0 && <Alert color="yellow">{t('imports.missing', { fields: named(missing) })}</Alert>}
      {doubled.length > 0 && <Alert color="yellow">{t('imports.doubled', { fields: named(doubled) })}</Alert>}
      {remap.failure && <FailureView failure={remap.failure} />}
      <Next
        isRunning={remap.isRunning}
        isDisabled={missing.length + doubled.length > 0}
        onPress={() => void save()}
      />
    </Stack>
  );
}

interface NextProps {
  readonly isRunning: boolean;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

function Next({ isRunning, isDisabled = false, onPress }: NextProps) {
  const t = useText();
  return (
    <Group justify="flex-end">
      <Button loading={isRunning} disabled={isDisabled} onClick={onPress}>
        {t('imports.showRows')}
      </Button>
    </Group>
  );
}
