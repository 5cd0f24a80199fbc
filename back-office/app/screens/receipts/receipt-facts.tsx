import { Alert, SimpleGrid, Skeleton, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Count, Instant, Money, None, Status } from '../../design/values.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { type TextKey, useText } from '../../messages/text.ts';
import {
  type ReceiptLineFragment,
  ReceiptLinesDocument,
  type ReceiptPurchaseFragment,
  type ReceiptRowFragment,
} from './generated/receipts.ts';

/** The purchase of a receipt: merchant, day, total and store. */
function Purchase({ of }: { readonly of: ReceiptPurchaseFragment }) {
  return (
    <>
      <Fact text="list.when">
        <Instant at={of.createdAt} />
      </Fact>
      <Fact text="members.status">
        <Status of={of.status} />
      </Fact>
      <Fact text="member.title">
        <MemberLink of={of.member} />
      </Fact>
      <Fact text="receipts.merchant">{of.merchant ?? <None />}</Fact>
      <Fact text="receipts.purchasedOn">{of.purchasedOn ?? <None />}</Fact>
      <Fact text="orders.total">
        <Money of={totalOf(of)} />
      </Fact>
    </>
  );
}

interface DuplicateProps {
  readonly receipt: ReceiptPurchaseFragment;
  readonly first: ReceiptPurchaseFragment;
}

/** A receipt beside the earlier receipt of the same purchase. */
export function Duplicate({ receipt, first }: DuplicateProps) {
  const t = useText();
  return (
    <Alert color="yellow" title={t('receipts.duplicate')} mb="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <section aria-label={t('receipts.thisOne')}>
          <Text fw={500}>{t('receipts.thisOne')}</Text>
          <Purchase of={receipt} />
        </section>
        <section aria-label={t('receipts.firstOne')}>
          <Text fw={500}>{t('receipts.firstOne')}</Text>
          <Purchase of={first} />
        </section>
      </SimpleGrid>
    </Alert>
  );
}

/** The items of a receipt. */
export function ReceiptItems({ of: { items, currency } }: { readonly of: Bought }) {
  const t = useText();
  if (items.length === 0) return null;
  return (
    <Table aria-label={t('receipts.items')} fz="sm">
      <Table.Tbody>
        {items.map(({ name, quantity, amountMinor }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike
          <Table.Tr key={place}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {quantity} × {name}
            </Table.Td>
            <Table.Td ta="right">
              <Money of={currency ? { amountMinor, currency } : null} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface Bought {
  readonly currency?: string | null;
  readonly items: readonly ReceiptLineFragment[];
}

/** A receipt that is decided or not read yet, with the corrections of the reviewer. */
export function ReceiptDetail({ receipt }: { readonly receipt: ReceiptRowFragment }) {
  const t = useText();
  const { duplicateOf, pointsAwarded, reason, reading } = receipt;
  return (
    <Part title={t('receipts.one')}>
      {duplicateOf && <Duplicate receipt={receipt} first={duplicateOf} />}
      <Purchase of={receipt} />
      <Fact text="members.points">
        <Count of={pointsAwarded} />
      </Fact>
      {reason && <Fact text="points.reason">{reason}</Fact>}
      {reading && <Corrected receipt={receipt} reading={reading} />}
      <Lines id={receipt.id} />
    </Part>
  );
}

interface CorrectedProps {
  readonly receipt: ReceiptRowFragment;
  readonly reading: NonNullable<ReceiptRowFragment['reading']>;
}

/** The items of a receipt. Corrected items are shown beside the read ones. */
function Lines({ id }: { readonly id: string }) {
  const t = useText();
  const { data, failure, reload } = useScreen(ReceiptLinesDocument, { id });
  const receipt = data?.receipt;
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!receipt) return <Skeleton height={80} />;
  const { items, reading } = receipt;
  const isCorrected = reading && JSON.stringify(reading.items) !== JSON.stringify(items);
  if (items.length === 0 && !isCorrected) return null;
  return (
    <section aria-label={t('receipts.items')}>
      <Text size="sm" fw={500} mt="md" mb={4}>
        {t('receipts.items')}
      </Text>
      {isCorrected ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Side text="receipts.read" of={reading} />
          <Side text="receipts.decided" of={receipt} />
        </SimpleGrid>
      ) : (
        <ReceiptItems of={receipt} />
      )}
    </section>
  );
}

/** The read or the corrected lines. */
function Side({ text, of }: { readonly text: TextKey; readonly of: Bought }) {
  const t = useText();
  return (
    <section aria-label={t(text)}>
      <Text size="xs" c="dimmed">
        {t(text)}
      </Text>
      {of.items.length === 0 ? <None /> : <ReceiptItems of={of} />}
    </section>
  );
}

/** The read values beside their corrections. */
function Corrected({ receipt, reading }: CorrectedProps) {
  const t = useText();
  const rows: readonly [TextKey, ReactNode, ReactNode, boolean][] = [
    ['receipts.merchant', reading.merchant, receipt.merchant, reading.merchant !== receipt.merchant],
    [
      'receipts.purchasedOn',
      reading.purchasedOn,
      receipt.purchasedOn,
      reading.purchasedOn !== receipt.purchasedOn,
    ],
    [
      'orders.total',
      <Money key="read" of={totalOf(reading)} />,
      <Money key="now" of={totalOf(receipt)} />,
      reading.totalMinor !== receipt.totalMinor || reading.currency !== receipt.currency,
    ],
    ['orders.store', reading.store?.name, receipt.store?.name, reading.store?.id !== receipt.store?.id],
  ];
  const changed = rows.filter(([, , , isChanged]) => isChanged);
  if (changed.length === 0) return null;
  return (
    <Table aria-label={t('receipts.corrected')} fz="sm" my="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('receipts.corrected')}</Table.Th>
          <Table.Th>{t('receipts.read')}</Table.Th>
          <Table.Th>{t('receipts.decided')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changed.map(([text, before, after]) => (
          <Table.Tr key={text}>
            <Table.Td>{t(text)}</Table.Td>
            <Table.Td>{before ?? <None />}</Table.Td>
            <Table.Td>{after ?? <None />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Returns the total of a receipt. Null if it could not be read. */
export const totalOf = ({ totalMinor, currency }: Pick<ReceiptRowFragment, 'totalMinor' | 'currency'>) =>
  totalMinor == null || currency == null ? null : { amountMinor: totalMinor, currency };
