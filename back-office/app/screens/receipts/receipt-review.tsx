import { Alert, Button, Checkbox, Group, Kbd, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { FormDialog, useFieldErrors } from '../../design/form-dialog.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Count, None } from '../../design/values.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, optionalNumber, requiredText } from '../../fields/typed-values.ts';
import type { CallFailure } from '../../graph/failures.ts';
import { type Act, useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  EarlierReceiptDocument,
  ReceiptPointsDocument,
  type ReceiptRowFragment,
  ReviewReceiptDocument,
  type ReviewReceiptMutation,
  type ReviewReceiptMutationVariables,
} from './generated/receipts.ts';
import { correctionsOf, minorOf, type ReviewValues, signedMinorOf, valuesOf } from './receipt-corrections.ts';
import { Duplicate } from './receipt-facts.tsx';
import { ReviewedItems } from './receipt-items.tsx';
import { type PictureLinks, ReceiptPicture, useView } from './receipt-picture.tsx';

interface ReceiptReviewProps {
  readonly receipt: ReceiptRowFragment;
  readonly waiting: readonly ReceiptRowFragment[];
  readonly pictures: PictureLinks;
  /**
   * The mutation belongs to the screen: a receipt that somebody else decided disappears, but the failure must
   * stay visible.
   */
  readonly act: Act<ReviewReceiptMutation, ReviewReceiptMutationVariables>;
  readonly onOpen: (id: string) => void;
}

/** Has somebody else decided the receipt meanwhile? */
export const isDecided = ({ reason }: CallFailure): boolean => reason === 'RECEIPT_DECIDED';

/** Delay after the last keystroke before the points are calculated. */
const TYPING_MS = 250;

/**
 * The picture of a receipt, and the read values, which can be corrected. While the focus is inside and not in
 * an input, A approves, R rejects, J and K open the next and the previous receipt, + and - zoom, and T
 * rotates.
 */
export function ReceiptReview({ receipt, waiting, pictures, act, onOpen }: ReceiptReviewProps) {
  const t = useText();
  const region = useRef<HTMLDivElement>(null);
  const [isRejecting, setRejecting] = useState(false);
  const view = useView();
  const form = useForm<ReviewValues>({
    initialValues: { ...valuesOf(receipt), points: '', acceptDuplicate: false },
    validate: {
      totalMinor: (total, { currency }) =>
        total.trim() && minorOf(total, currency) === null ? t('form.amount') : null,
      items: {
        name: requiredText(t),
        quantity: numberRules(t).required,
        amountMinor: (amount, { currency }) =>
          signedMinorOf(amount, currency) === null ? t('form.amount') : null,
      },
    },
  });
  const isShownAtFields = useFieldErrors(form, act.failure);
  const place = waiting.findIndex(({ id }) => id === receipt.id);
  const move = (step: number) => {
    const next = waiting[place + step];
    if (next) onOpen(next.id);
  };
  useEffect(() => region.current?.focus({ preventScroll: true }), []);
  const approve = async () => {
    if (form.validate().hasErrors) return;
    const next = waiting[place + 1] ?? waiting[place - 1];
    const { points, acceptDuplicate, ...values } = form.getValues();
    const done = await act.run({
      id: receipt.id,
      decision: 'APPROVE',
      points: optionalNumber(points),
      reason: null,
      corrections: correctionsOf(receipt, values),
      acceptDuplicate,
    });
    if (done && next) onOpen(next.id);
  };
  const keys: Readonly<Record<string, () => void>> = {
    a: () => void approve(),
    r: () => setRejecting(true),
    j: () => move(1),
    k: () => move(-1),
    t: view.turn,
    '+': view.zoomIn,
    '-': view.zoomOut,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key.toLowerCase()]?.();
  };
  return (
    <Part title={t('receipts.review', { place: place + 1, count: waiting.length })}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same */}
      <div ref={region} tabIndex={-1} onKeyDown={onKeyDown} data-testid="receipt-review">
        <ReceiptPicture id={receipt.id} pictures={pictures} {...view} />
        <Corrections receipt={receipt} form={form} />
        {act.failure && !isShownAtFields && !isDecided(act.failure) && <FailureView failure={act.failure} />}
        <Decisions
          approve={() => void approve()}
          isApproving={act.isRunning}
          reject={() => setRejecting(true)}
          previous={place > 0 ? () => move(-1) : null}
          next={place < waiting.length - 1 ? () => move(1) : null}
        />
      </div>
      {isRejecting && <RejectDialog receipt={receipt} onClose={() => setRejecting(false)} />}
    </Part>
  );
}

interface DecisionsProps {
  readonly approve: () => void;
  readonly isApproving: boolean;
  readonly reject: () => void;
  /** Opens the previous receipt. Null if there is none. */
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
}

function Decisions({ approve, isApproving, reject, previous, next }: DecisionsProps) {
  const t = useText();
  return (
    <Group mt="md">
      <Button onClick={approve} loading={isApproving} rightSection={<Kbd>A</Kbd>}>
        {t('receipts.approve')}
      </Button>
      <Button color="red" variant="light" onClick={reject} rightSection={<Kbd>R</Kbd>}>
        {t('receipts.reject')}
      </Button>
      <Button
        variant="default"
        onClick={previous ?? undefined}
        disabled={!previous}
        rightSection={<Kbd>K</Kbd>}
      >
        {t('list.previous')}
      </Button>
      <Button variant="default" onClick={next ?? undefined} disabled={!next} rightSection={<Kbd>J</Kbd>}>
        {t('list.next')}
      </Button>
    </Group>
  );
}

interface CorrectionsProps {
  readonly receipt: ReceiptRowFragment;
  readonly form: UseFormReturnType<ReviewValues>;
}

/** The read values, which can be corrected. Each uncertain field has a note with the reason. */
function Corrections({ receipt, form }: CorrectionsProps) {
  const canPickStores = useCan('PickStores', 'PickedStore');
  const [t, word] = [useText(), useWord()];
  const { confidence, doubts, note, member } = receipt;
  const doubtOf = (part: string) => {
    const found = doubts.filter((doubt) => doubt.endsWith(part)).map((doubt) => word(doubt));
    return found.length > 0 ? t('receipts.uncertain', { why: found.join(' · ') }) : undefined;
  };
  return (
    <Stack gap="xs">
      {doubts.includes('UNREADABLE') && <Alert color="yellow" title={word('UNREADABLE')} />}
      <Fact text="member.title">
        <MemberLink of={member} />
      </Fact>
      <Fact text="receipts.confidence">{confidence == null ? <None /> : <Count of={confidence} />}</Fact>
      {note && <Fact text="receipts.note">{note}</Fact>}
      <TextInput label={t('receipts.merchant')} {...form.getInputProps('merchant')} />
      <TextInput
        type="date"
        label={t('receipts.purchasedOn')}
        description={doubtOf('_DATE')}
        {...form.getInputProps('purchasedOn')}
      />
      <Group grow align="start">
        <TextInput
          label={t('orders.total')}
          description={doubtOf('_TOTAL')}
          inputMode="decimal"
          {...form.getInputProps('totalMinor')}
        />
        <TextInput
          label={t('settings.currency')}
          description={doubtOf('_CURRENCY')}
          {...form.getInputProps('currency')}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('currency', value.toUpperCase())}
        />
      </Group>
      {canPickStores && (
        <EntityPicker kind="store" label={t('orders.store')} {...form.getInputProps('storeId')} />
      )}
      <ReviewedItems id={receipt.id} form={form} />
      <Outcome receipt={receipt} form={form} />
    </Stack>
  );
}

/** The points that an approval would award, and the earlier receipt of the same purchase. */
function Outcome({ receipt, form }: CorrectionsProps) {
  const t = useText();
  const { points: _, acceptDuplicate: __, ...typed } = form.values;
  const isAmount = !typed.totalMinor.trim() || minorOf(typed.totalMinor, typed.currency) !== null;
  const isCurrency = typed.currency === '' || typed.currency.length === 3;
  const [asked] = useDebouncedValue(JSON.stringify(correctionsOf(receipt, typed)), TYPING_MS);
  const { data } = useScreen(
    ReceiptPointsDocument,
    { id: receipt.id, corrections: JSON.parse(asked) },
    !isAmount || !isCurrency,
  );
  const preview = data?.previewReceiptPoints;
  const firstId = preview?.duplicateOf?.id;
  const earlier = useScreen(EarlierReceiptDocument, { id: firstId ?? '' }, !firstId);
  const first = firstId ? earlier.data?.receipt : null;
  return (
    <>
      {first && <Duplicate receipt={receipt} first={first} />}
      {first && first.id !== receipt.duplicateOf?.id && (
        <Checkbox
          label={t('receipts.acceptDuplicate')}
          {...form.getInputProps('acceptDuplicate', { type: 'checkbox' })}
        />
      )}
      <NumberField label={t('receipts.points')} {...form.getInputProps('points')} />
      <Text size="sm" role="status">
        {preview &&
          (preview.points == null
            ? t('receipts.noPoints')
            : t('receipts.pointsByRules', { points: preview.points }))}
      </Text>
    </>
  );
}

interface RejectProps {
  readonly receipt: ReceiptRowFragment;
  readonly onClose: () => void;
}

function RejectDialog({ receipt, onClose }: RejectProps) {
  const t = useText();
  const act = useAct(ReviewReceiptDocument, ['Receipt'], () => t('toast.receiptRejected'));
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
        corrections: null,
        acceptDuplicate: null,
      })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name: receipt.merchant ?? receipt.member?.name ?? t('member.unnamed') }}
    >
      <TextInput label={t('points.reason')} data-autofocus {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
