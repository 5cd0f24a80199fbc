import { Alert, Button, Group, Image, Kbd, Skeleton, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Count, Money, None } from '../../design/values.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  ReceiptImageDocument,
  type ReceiptRowFragment,
  ReviewReceiptDocument,
} from './generated/receipts.ts';
import { totalOf } from './receipt-total.ts';

interface ReceiptReviewProps {
  readonly receipt: ReceiptRowFragment;
  readonly waiting: readonly ReceiptRowFragment[];
  readonly onOpen: (id: string) => void;
}

/** The picture beside what was read. A approves, R rejects, J and K move: while the focus is inside. */
export function ReceiptReview({ receipt, waiting, onOpen }: ReceiptReviewProps) {
  const t = useText();
  const region = useRef<HTMLDivElement>(null);
  const [isRejecting, setRejecting] = useState(false);
  const act = useAct(ReviewReceiptDocument, [], () => t('toast.receiptApproved'));
  const place = waiting.findIndex(({ id }) => id === receipt.id);
  const move = (step: number) => {
    const next = waiting[place + step];
    if (next) onOpen(next.id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each receipt takes the focus, for the keys
  useEffect(() => region.current?.focus({ preventScroll: true }), [receipt.id]);
  const approve = async () => {
    const next = waiting[place + 1] ?? waiting[place - 1];
    const done = await act.run({ id: receipt.id, decision: 'APPROVE', points: null, reason: null });
    if (done && next) onOpen(next.id);
  };
  const keys: Readonly<Record<string, () => void>> = {
    a: () => void approve(),
    r: () => setRejecting(true),
    j: () => move(1),
    k: () => move(-1),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key.toLowerCase()]?.();
  };
  return (
    <Part title={t('receipts.review', { place: place + 1, count: waiting.length })}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same */}
      <div ref={region} tabIndex={-1} onKeyDown={onKeyDown} data-testid="receipt-review">
        <Picture id={receipt.id} />
        <Reading receipt={receipt} />
        {act.failure && <FailureView failure={act.failure} />}
        <Group mt="md">
          <Button onClick={() => void approve()} loading={act.isRunning} rightSection={<Kbd>A</Kbd>}>
            {t('receipts.approve')}
          </Button>
          <Button color="red" variant="light" onClick={keys['r']} rightSection={<Kbd>R</Kbd>}>
            {t('receipts.reject')}
          </Button>
          <Button variant="default" onClick={keys['k']} disabled={place <= 0} rightSection={<Kbd>K</Kbd>}>
            {t('list.previous')}
          </Button>
          <Button
            variant="default"
            onClick={keys['j']}
            disabled={place >= waiting.length - 1}
            rightSection={<Kbd>J</Kbd>}
          >
            {t('list.next')}
          </Button>
        </Group>
      </div>
      {isRejecting && <RejectDialog receipt={receipt} onClose={() => setRejecting(false)} />}
    </Part>
  );
}

const types = { iVBOR: 'image/png', UklGR: 'image/webp' } as const;

/** The type of an image by its first bytes. */
const typeOf = (base64: string): string => types[base64.slice(0, 5) as keyof typeof types] ?? 'image/jpeg';

function Picture({ id }: { readonly id: string }) {
  const t = useText();
  const { data, failure, reload } = useScreen(ReceiptImageDocument, { id });
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!data) return <Skeleton height={280} />;
  if (!data.receiptImage) return <Text c="dimmed">{t('receipts.noImage')}</Text>;
  return (
    <Image
      src={`data:${typeOf(data.receiptImage)};base64,${data.receiptImage}`}
      alt={t('receipts.image')}
      mah={360}
      fit="contain"
      mb="sm"
    />
  );
}

function Reading({ receipt }: { readonly receipt: ReceiptRowFragment }) {
  const [t, word] = [useText(), useWord()];
  const { merchant, purchasedOn, confidence, doubts, duplicateOf, items, currency, member } = receipt;
  return (
    <>
      {duplicateOf && <Alert color="yellow" title={t('receipts.duplicate')} mb="sm" />}
      {doubts.length > 0 && (
        <Alert color="yellow" mb="sm" title={doubts.map((doubt) => word(doubt)).join(' · ')} />
      )}
      <Fact text="member.title">
        <MemberLink of={member} />
      </Fact>
      <Fact text="receipts.merchant">{merchant ?? <None />}</Fact>
      <Fact text="receipts.purchasedOn">{purchasedOn ?? <None />}</Fact>
      <Fact text="orders.total">
        <Money of={totalOf(receipt)} />
      </Fact>
      <Fact text="receipts.confidence">{confidence == null ? <None /> : <Count of={confidence} />}</Fact>
      {items.length > 0 && (
        <Table aria-label={t('receipts.items')} fz="sm">
          <Table.Tbody>
            {items.map(({ name, quantity, amountMinor }) => (
              <Table.Tr key={`${name} ${amountMinor}`}>
                <Table.Td>
                  {quantity} × {name}
                </Table.Td>
                <Table.Td ta="right">
                  <Money of={currency ? { amountMinor, currency } : null} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

interface RejectProps {
  readonly receipt: ReceiptRowFragment;
  readonly onClose: () => void;
}

function RejectDialog({ receipt, onClose }: RejectProps) {
  const t = useText();
  const act = useAct(ReviewReceiptDocument, [], () => t('toast.receiptRejected'));
  const form = useForm({ initialValues: { reason: '' } });
  return (
    <FormDialog
      title={t('receipts.reject')}
      submit={t('receipts.reject')}
      form={form}
      act={act}
      variables={({ reason }) => ({
        id: receipt.id,
        decision: 'REJECT' as const,
        points: null,
        reason: reason || null,
      })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name: receipt.merchant ?? receipt.member?.name ?? t('member.unnamed') }}
    >
      <TextInput
        label={t('points.reason')}
        data-autofocus
        maxLength={500}
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
