import { Stack, Text } from '@mantine/core';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Part } from '../../design/part.tsx';
import { Instant, None } from '../../design/values.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { shownValue } from './attribute-values.ts';
import {
  MemberRecordsDocument,
  type MemberRecordsQuery,
  RecordTypesDocument,
  type RecordTypesQuery,
} from './generated/member-records.ts';

type RecordType = RecordTypesQuery['objectTypes'][number];
type Row = NonNullable<MemberRecordsQuery['member']>['records']['nodes'][number];

/** Number of fields in a table, beside the time of the record. */
const FIELDS_SHOWN = 4;

/** Records of custom objects that refer to the member: one table for each type. */
export default function RecordsTab({ id }: { readonly id: string }) {
  const t = useText();
  const { data, failure, reload } = useScreen(RecordTypesDocument, {});
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  const types = data?.objectTypes.filter(({ fields }) => fields.some(({ type }) => type === 'MEMBER_REF'));
  if (types?.length === 0) return <Text size="sm">{t('records.noTypes')}</Text>;
  return (
    <Stack>
      {types?.map((type) => (
        <Records key={type.id} id={id} type={type} />
      ))}
    </Stack>
  );
}

function Records({ id, type }: { readonly id: string; readonly type: RecordType }) {
  const t = useText();
  const { data, failure, reload } = useScreen(MemberRecordsDocument, { id, type: type.type });
  const columns: TableColumn<Row>[] = [
    ...type.fields
      .filter((field) => field.type !== 'MEMBER_REF')
      .slice(0, FIELDS_SHOWN)
      .map(({ key, label }) => ({
        key,
        title: label,
        cell: (row: Row) => shownValue(row.data[key]) ?? <None />,
      })),
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
  ];
  return (
    <Part title={type.label}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={type.label}
          columns={columns}
          rows={data && (data.member?.records.nodes ?? [])}
          rowKey={(row) => row.id}
          empty={<None />}
        />
      )}
    </Part>
  );
}
