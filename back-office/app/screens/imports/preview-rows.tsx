import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { FailureView } from '../../design/failure-view.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { type ImportRowFragment, PreviewImportDocument, StartImportDocument } from './generated/imports.ts';
import { Problems, useFieldName } from './import-problems.tsx';

interface PreviewRowsProps {
  readonly row: ImportRowFragment;
  readonly onBack: () => void;
  readonly onStarted: (row: ImportRowFragment) => void;
}

/** A preview of the first rows as the import would read them, with the problems that it would report. */
export function PreviewRows({ row: { id, parts }, onBack, onStarted }: PreviewRowsProps) {
  const t = useText();
  const nameOf = useFieldName();
  const { data, failure, reload } = useScreen(PreviewImportDocument, { id });
  const start = useAct(StartImportDocument, [], () => ({ text: t('toast.importStarted'), begun: id }));
  const preview = data?.previewImport;
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!preview) return <Text>{t('list.loading')}</Text>;
  const used = preview.columns.filter(({ field }) => field);
  const ignored = preview.columns.filter(({ field }) => !field);
  const problems = preview.issues.filter(({ reason }) => reason !== 'UNKNOWN_COLUMN');
  return (
    <Stack>
      <Table.ScrollContainer minWidth={300}>
        <Table aria-label={t('imports.firstRows')}>
          <Table.Thead>
            <Table.Tr>
              {used.map(({ column, header, field }) => (
                <Table.Th key={column}>
                  {header} → {nameOf(field ?? '')}
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
      {problems.length > 0 && (
        <Alert color="yellow" title={t('imports.issues')}>
          <Problems of={problems} />
        </Alert>
      )}
      {start.failure && <FailureView failure={start.failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('dialog.back')}
        </Button>
        <Button
          loading={start.isRunning}
          onClick={() =>
            void start.run({ id, parts: parts ?? 1 }).then((data) => data && onStarted(data.startImport))
          }
        >
          {t('imports.start')}
        </Button>
      </Group>
    </Stack>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value ?? '') : String(value ?? '');
