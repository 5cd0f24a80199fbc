import { Button, CloseButton, Group, Input, Skeleton, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type RefObject, useEffect, useRef } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { Fact } from '../../design/part.tsx';
import { Money, None } from '../../design/values.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { ReceiptLinesDocument } from './generated/receipts.ts';
import {
  digitsOf,
  type ItemValues,
  isCode,
  linesOf,
  type ReviewValues,
  sumOf,
} from './receipt-corrections.ts';
import { ReceiptItems } from './receipt-facts.tsx';
import classes from './receipts.module.css';

interface ReviewedItemsProps {
  readonly id: string;
  readonly form: UseFormReturnType<ReviewValues>;
}

/** The items of a receipt under review, which can be corrected. */
export function ReviewedItems({ id, form }: ReviewedItemsProps) {
  const t = useText();
  const { data, failure, reload } = useScreen(ReceiptLinesDocument, { id });
  const list = useRef<HTMLDivElement>(null);
  const focusLine = useFocusedLine(list);
  const { items } = form.values;
  const receipt = data?.receipt;
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!receipt) return <Skeleton height={80} />;
  const begin = () => {
    const lines = linesOf(receipt);
    form.setFieldValue('items', lines.length === 0 ? [newLine()] : lines);
    focusLine(0);
  };
  const add = () => {
    form.insertListItem('items', newLine());
    focusLine(items?.length ?? 0);
  };
  return (
    <section aria-label={t('receipts.items')}>
      <Group justify="space-between" mih={28} mb={4}>
        <Text size="sm" fw={500}>
          {t('receipts.items')}
        </Text>
        {!items && (
          <Button size="compact-sm" variant="default" onClick={begin}>
            {t(receipt.items.length === 0 ? 'receipts.addItem' : 'receipts.correctItems')}
          </Button>
        )}
      </Group>
      {items ? (
        <div ref={list} className={classes['items']}>
          <ItemFields form={form} items={items} />
          <Input.Error>{form.errors['items']}</Input.Error>
          <Group justify="space-between">
            <Button size="compact-sm" variant="default" onClick={add}>
              {t('receipts.addItem')}
            </Button>
            <Sum of={form.values} />
          </Group>
        </div>
      ) : (
        <ReceiptItems of={receipt} />
      )}
    </section>
  );
}

const newLine = (): ItemValues => ({ key: crypto.randomUUID(), name: '', quantity: 1, amountMinor: '' });

/** Focuses the first input of a line, once it is rendered. */
function useFocusedLine(list: RefObject<HTMLDivElement | null>): (place: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    const line =
      wanted.current === null ? null : list.current?.querySelectorAll('[data-line]')[wanted.current];
    if (!line) return;
    wanted.current = null;
    line.querySelector('input')?.focus();
  });
  return (place) => {
    wanted.current = place;
  };
}

interface ItemFieldsProps extends Pick<ReviewedItemsProps, 'form'> {
  readonly items: readonly ItemValues[];
}

/** The inputs of each line, and the button that removes it. */
function ItemFields({ form, items }: ItemFieldsProps) {
  const t = useText();
  const decimals = digitsOf(form.values.currency);
  if (items.length === 0) return null;
  return (
    <>
      <div className={classes['itemHead']} aria-hidden="true">
        <span>{t('receipts.itemName')}</span>
        <span>{t('receipts.quantity')}</span>
        <span>{t('receipts.price')}</span>
      </div>
      {items.map(({ key }, place) => {
        const item = place + 1;
        return (
          <div key={key} className={classes['item']} data-line>
            <TextInput label={t('receipts.item', { item })} {...form.getInputProps(`items.${place}.name`)} />
            <NumberField
              label={t('receipts.quantityOf', { item })}
              {...form.getInputProps(`items.${place}.quantity`)}
            />
            <NumberField
              label={t('receipts.priceOf', { item })}
              decimals={decimals}
              isSigned
              {...form.getInputProps(`items.${place}.amountMinor`)}
            />
            <CloseButton
              aria-label={t('receipts.removeItem', { item })}
              onClick={() => form.removeListItem('items', place)}
            />
          </div>
        );
      })}
    </>
  );
}

/** The sum of all lines, to compare it with the total. */
function Sum({ of }: { readonly of: ReviewValues }) {
  const sum = sumOf(of);
  return (
    <Fact text="receipts.sum">
      {sum !== null && isCode(of.currency) ? (
        <Money of={{ amountMinor: sum, currency: of.currency }} />
      ) : (
        <None />
      )}
    </Fact>
  );
}
