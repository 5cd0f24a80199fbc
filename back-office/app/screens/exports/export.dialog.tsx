import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { Dialog } from '../../design/dialog.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { ExportProgress } from './export-progress.tsx';
import type { ExportRowFragment } from './generated/exports.ts';

const FORMATS = ['CSV', 'JSON_LINES'] as const;
type Format = (typeof FORMATS)[number];

/** A list that can be exported, with the filter of its screen. */
export interface ExportedList<Counted, Conditions extends AnyVariables> {
  /** What the rows are called. */
  readonly name: string;
  readonly conditions: Conditions;
  readonly counting: TypedDocumentNode<Counted, Conditions>;
  /** Returns the number of rows. Undefined if the list no longer exists. */
  readonly countIn: (counted: Counted) => number | undefined;
  readonly starting: TypedDocumentNode<
    { readonly started: ExportRowFragment },
    { readonly filter: Conditions; readonly format: Format }
  >;
}

/** Asks for the format, shows the number of rows, and then the progress until the file can be saved. */
export function ExportDialog<Counted, Conditions extends AnyVariables>({
  list,
  onClose,
}: {
  readonly list: ExportedList<Counted, Conditions>;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [started, setStarted] = useState<ExportRowFragment | null>(null);
  return (
    <Dialog onClose={onClose} title={t('exports.of', { name: list.name })}>
      {started ? (
        <Stack>
          <ExportProgress row={started} />
          <Text size="sm">{t('exports.goesOn')}</Text>
        </Stack>
      ) : (
        <Choose list={list} onStarted={setStarted} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ChooseProps<Counted, Conditions extends AnyVariables> {
  readonly list: ExportedList<Counted, Conditions>;
  readonly onStarted: (started: ExportRowFragment) => void;
  readonly onClose: () => void;
}

function Choose<Counted, Conditions extends AnyVariables>({
  list: { conditions, counting, countIn, starting },
  onStarted,
  onClose,
}: ChooseProps<Counted, Conditions>) {
  const t = useText();
  const [format, setFormat] = useState<Format>('CSV');
  const { data, failure, reload } = useScreen(counting, conditions);
  const start = useAct(starting, ['ListExport'], ({ started }) => ({
    text: t('toast.exportStarted'),
    begun: started.id,
  }));
  const rows = data && countIn(data);
  return (
    <Stack>
      <Text aria-live="polite">{rows === undefined ? t('list.loading') : t('exports.rows', { rows })}</Text>
      <NativeSelect
        label={t('exports.format')}
        description={t(format === 'CSV' ? 'exports.csvHint' : 'exports.jsonHint')}
        value={format}
        data-autofocus
        onChange={({ currentTarget: { value } }) =>
          setFormat(FORMATS.find((each) => each === value) ?? 'CSV')
        }
        data={[
          { value: 'CSV', label: 'CSV' },
          { value: 'JSON_LINES', label: 'JSON Lines' },
        ]}
      />
      <Text size="sm">{t('exports.kept')}</Text>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {start.failure && <FailureView failure={start.failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('dialog.cancel')}
        </Button>
        <Button
          loading={start.isRunning}
          onClick={() =>
            void start.run({ filter: conditions, format }).then((done) => done && onStarted(done.started))
          }
        >
          {t('exports.start')}
        </Button>
      </Group>
    </Stack>
  );
}
