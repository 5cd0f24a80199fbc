import { Button, Group, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { FileField } from '../../fields/file-field.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useText, useWord } from '../../messages/text.ts';
import { codesIn } from './codes-in.ts';
import { ImportCouponsDocument, type ImportCouponsMutation } from './generated/coupons.ts';

type Report = NonNullable<ImportCouponsMutation['importCoupons']['lastImport']>;

const CODES_MAX = 10_000;

interface ImportCodesProps {
  readonly poolId: string;
  readonly onClose: () => void;
}

/** Adds codes to a pool, and lists the skipped codes with reasons. */
export function ImportCodesDialog({ poolId, onClose }: ImportCodesProps) {
  const t = useText();
  const act = useAct(ImportCouponsDocument, ['Coupon']);
  const [report, setReport] = useState<Report | null>(null);
  const form = useForm({
    initialValues: { codes: '' },
    validate: {
      codes: (text) => {
        const { length } = codesIn(text);
        if (length === 0) return t('form.required');
        return length > CODES_MAX ? t('coupons.tooMany', { max: CODES_MAX, count: length }) : null;
      },
    },
  });
  if (report) return <ReportDialog report={report} onClose={onClose} />;
  return (
    <FormDialog
      title={t('coupons.import')}
      submit={t('coupons.import')}
      form={form}
      act={act}
      variables={({ codes }) => ({ poolId, codes: codesIn(codes) })}
      onDone={({ importCoupons: { lastImport } }) => (lastImport ? setReport(lastImport) : onClose())}
      onClose={onClose}
    >
      <FileField
        label={t('coupons.file')}
        description={t('coupons.fileHint')}
        accept=".txt,.csv,text/plain,text/csv"
        onChange={(file) => void file?.text().then((text) => form.setFieldValue('codes', text))}
      />
      <Textarea
        label={t('coupons.codes')}
        description={t('coupons.codesHint')}
        required
        data-autofocus
        rows={8}
        spellCheck={false}
        {...form.getInputProps('codes')}
      />
    </FormDialog>
  );
}

function ReportDialog({ report, onClose }: { readonly report: Report; readonly onClose: () => void }) {
  const t = useText();
  const { accepted, skippedCount, skipped } = report;
  return (
    <Dialog onClose={onClose} title={t('coupons.imported')}>
      <Stack>
        <Text role="status">{t('coupons.importResult', { accepted, skipped: skippedCount })}</Text>
        {skipped.length > 0 && <SkippedTable skipped={skipped} />}
        {skipped.length < skippedCount && (
          <Text size="sm" c="dimmed">
            {t('coupons.firstSkipped', { count: skipped.length })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('dialog.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function SkippedTable({ skipped }: Pick<Report, 'skipped'>) {
  const [t, word] = [useText(), useWord()];
  const title = t('coupons.skipped');
  return (
    <ScrollArea.Autosize
      mah={300}
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}
    >
      <Table aria-label={title} verticalSpacing={4} style={{ overflowWrap: 'anywhere' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('coupons.code')}</Table.Th>
            <Table.Th>{t('points.reason')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...skipped.entries()].map(([place, { code, reason }]) => (
            <Table.Tr key={place}>
              <Table.Td>{code}</Table.Td>
              <Table.Td>{word(reason)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
