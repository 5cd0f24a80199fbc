import {
  Button,
  CloseButton,
  Combobox,
  Loader,
  Text,
  TextInput,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useScreen } from '../graph/use-screen.ts';
import { useText } from '../messages/text.ts';
import {
  PickCouponPoolsDocument,
  PickedCouponPoolDocument,
  PickedMemberDocument,
  PickedProductDocument,
  PickedSegmentDocument,
  PickedStoreDocument,
  PickMembersDocument,
  PickProductsDocument,
  PickSegmentsDocument,
  PickStoresDocument,
} from './generated/entity-picker.ts';

interface EntityPickerProps {
  readonly kind: EntityKind;
  readonly label: string;
  /** The id of the picked object. Empty: none. */
  readonly value?: string;
  readonly onChange: (id: string) => void;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly 'data-autofocus'?: boolean;
}

/** Delay after the last keystroke before the search runs. */
const TYPING_MS = 200;

/** An input that searches objects of one kind by text. One of them is picked, or none. */
export function EntityPicker({ kind, value = '', onChange, ...given }: EntityPickerProps) {
  const t = useText();
  const { useFound, useOne } = SOURCES[kind];
  /** The typed text. Null while nothing is typed: then the input shows the picked object. */
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState<Choice | null>(null);
  const read = useOne(picked?.id === value ? '' : value);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped(null);
    },
  });
  const [search] = useDebouncedValue((typed ?? '').trim(), TYPING_MS);
  const found = useFound(search, !combobox.dropdownOpened);
  const isWaiting = found.isLoading || search !== (typed ?? '').trim();
  const options = found.choices?.map(({ id }) => id).join();
  // Enter picks the first of what was found.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other options are looked at anew
  useEffect(() => {
    if (typed) combobox.selectFirstOption();
  }, [options]);
  const nameOf = (choice: Choice | null) => (choice ? (choice.name ?? t('member.unnamed')) : '');
  const shown = value ? nameOf(picked?.id === value ? picked : read) : '';
  const pick = (id: string) => {
    setPicked(found.choices?.find((each) => each.id === id) ?? null);
    onChange(id);
    combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={pick} keepMounted={false}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...given}
          autoComplete="off"
          value={typed ?? shown}
          placeholder={t('picker.search')}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            combobox.openDropdown();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          rightSection={
            isWaiting && combobox.dropdownOpened ? (
              <Loader size={14} />
            ) : (
              value && <CloseButton size="sm" aria-label={t('picker.clear')} onClick={() => onChange('')} />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <section aria-label={t('picker.results')}>
          <Found found={found} nameOf={nameOf} />
        </section>
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface FoundProps {
  readonly found: ReturnType<(typeof SOURCES)[EntityKind]['useFound']>;
  readonly nameOf: (choice: Choice) => string;
}

/** The search results, or why there are none. */
function Found({ found: { choices, failure, reload }, nameOf }: FoundProps) {
  const t = useText();
  if (failure)
    return (
      <Combobox.Empty role="alert">
        {t('picker.failed')}{' '}
        <Button
          size="compact-xs"
          variant="default"
          tabIndex={-1}
          // The input must keep the focus, otherwise the list closes.
          onMouseDown={(event) => event.preventDefault()}
          onClick={reload}
        >
          {t('error.retry')}
        </Button>
      </Combobox.Empty>
    );
  return (
    <>
      <VisuallyHidden role="status">
        {choices ? t('picker.found', { count: choices.length }) : t('list.loading')}
      </VisuallyHidden>
      {!choices?.length && (
        <Combobox.Empty aria-hidden="true">{t(choices ? 'picker.none' : 'list.loading')}</Combobox.Empty>
      )}
      <Combobox.Options aria-label={t('picker.results')} mah={260} style={{ overflowY: 'auto' }}>
        {choices?.map((choice) => (
          <Combobox.Option key={choice.id} value={choice.id} disabled={choice.isDisabled}>
            {nameOf(choice)}{' '}
            {choice.note && (
              <Text span size="xs" c="dimmed">
                {choice.note}
              </Text>
            )}
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </>
  );
}

/** An object that can be picked. */
interface Choice {
  readonly id: string;
  readonly name: string | null;
  /** Distinguishes it from others with the same name. */
  readonly note?: string | null;
  readonly isDisabled?: boolean;
}

type Find<Found> = TypedDocumentNode<Found, { search?: string | null }>;
type Read<One> = TypedDocumentNode<One, { id: string }>;

/** The queries of one kind: the search, and the read by id. */
function source<Found, One>(
  find: Find<Found>,
  choicesOf: (found: Found, t: ReturnType<typeof useText>) => readonly Choice[],
  read: Read<One>,
  choiceOf: (one: One) => Choice | null | undefined,
) {
  return {
    useFound(search: string, pause: boolean) {
      const t = useText();
      const { data, failure, isLoading, reload } = useScreen(
        find as TypedDocumentNode<Found, AnyVariables>,
        { search: search || null },
        pause,
      );
      return { choices: data && choicesOf(data, t), failure, isLoading, reload };
    },
    useOne(id: string): Choice | null {
      const { data } = useScreen(read as TypedDocumentNode<One, AnyVariables>, { id }, !id);
      return (data && choiceOf(data)) || null;
    },
  };
}

/** The queries of each kind, by its name. */
const SOURCES = {
  member: source(
    PickMembersDocument,
    ({ members }) =>
      members.nodes.map(({ id, name, email }) => ({ id, name: name ?? email ?? null, note: name && email })),
    PickedMemberDocument,
    ({ member }) => member && { id: member.id, name: member.name ?? member.email ?? null },
  ),
  store: source(
    PickStoresDocument,
    ({ stores }) => stores.nodes,
    PickedStoreDocument,
    ({ store }) => store,
  ),
  segment: source(
    PickSegmentsDocument,
    ({ segments }) => segments.nodes,
    PickedSegmentDocument,
    ({ segment }) => segment,
  ),
  couponPool: source(
    PickCouponPoolsDocument,
    ({ couponPools }, t) =>
      couponPools.nodes.map(({ id, name, discountDisplay, availableCount }) => ({
        ...{ id, name, note: t('picker.pool', { gives: discountDisplay, left: availableCount }) },
        isDisabled: availableCount === 0,
      })),
    PickedCouponPoolDocument,
    ({ couponPool }) => couponPool,
  ),
  product: source(
    PickProductsDocument,
    ({ products }) => products.nodes.map(({ id, name, externalId }) => ({ id, name, note: externalId })),
    PickedProductDocument,
    ({ product }) => product,
  ),
};

export type EntityKind = keyof typeof SOURCES;
