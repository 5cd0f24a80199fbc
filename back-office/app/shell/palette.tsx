import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { hidePersonalData, useHiddenData } from '../graph/hidden-data.ts';
import { chooseScope, useScope } from '../graph/scope.ts';
import { signOut } from '../graph/session.ts';
import { useCan, useConditions } from '../graph/viewer.ts';
import { useText, useWord } from '../messages/text.ts';
import { FindDocument } from './generated/palette.ts';
import { useMenu } from './menu.ts';
import { PALETTE_FIELD, type PaletteOpening } from './palette-opening.ts';

const FIRST_SEARCHED = 2;
const ASKED_AFTER_MS = 200;

/**
 * The search (Ctrl+K or ⌘K): screens and actions by name; members, orders and coupons by exact identifiers.
 */
export default function Palette({ opening }: { readonly opening: PaletteOpening }) {
  const t = useText();
  const { times, takeTyped } = opening;
  useEffect(() => {
    if (times > 0) spotlight.open();
  }, [times]);
  const [search, setSearch] = useState('');
  const found = useFound(search);
  const acts = [...useScreens(), ...useActs(), ...(search ? found : [])];
  return (
    <Spotlight
      actions={acts}
      query={search}
      onQueryChange={setSearch}
      shortcut={null}
      searchProps={{
        placeholder: t('palette.search'),
        'aria-label': t('palette.search'),
        id: PALETTE_FIELD,
        onFocus: () => setSearch((before) => before + takeTyped()),
      }}
      nothingFound={t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={480}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      transitionProps={{ transition: 'fade', duration: 120 }}
    />
  );
}

function useScreens(): SpotlightActionData[] {
  const t = useText();
  const navigate = useNavigate();
  return useMenu()
    .flatMap(({ entries }) => entries)
    .map(({ path, text }) => ({ id: path, label: t(text), onClick: () => void navigate({ to: path }) }));
}

function useActs(): SpotlightActionData[] {
  const t = useText();
  const { mode } = useScope();
  const navigate = useNavigate();
  const isHidden = useHiddenData();
  const other = mode === 'TEST' ? 'LIVE' : 'TEST';
  return [
    {
      id: 'mode',
      label: t(mode === 'TEST' ? 'mode.toLive' : 'mode.toTest'),
      onClick: () => chooseScope({ mode: other }),
    },
    {
      id: 'personal-data',
      label: t(isHidden ? 'personal.show' : 'personal.hide'),
      onClick: () => hidePersonalData(!isHidden),
    },
    { id: 'account', label: t('account.title'), onClick: () => void navigate({ to: '/account' }) },
    { id: 'sign-out', label: t('account.signOut'), onClick: () => void signOut() },
  ];
}

/**
 * Returns the results of the server. Each has the search text as a keyword, because the server may match
 * values that are not shown.
 */
function useFound(search: string): SpotlightActionData[] {
  const [t, word] = [useText(), useWord()];
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(search.trim(), ASKED_AFTER_MS);
  const pause = !useCan('Find') || asked.length < FIRST_SEARCHED;
  const conditions = useConditions('Find');
  const [{ data }] = useQuery({ query: FindDocument, variables: { search: asked, ...conditions }, pause });
  if (pause || !data) return [];
  const keywords = [search];
  const members = data.members.nodes.map(({ id, name, email }) => ({
    id,
    label: name ?? email ?? t('member.unnamed'),
    description: email ?? t('member.title'),
    onClick: () => void navigate({ to: '/members/$id', params: { id } }),
  }));
  const orders = (data.orders?.nodes ?? []).map(({ id, externalOrderId, status }) => ({
    id,
    label: externalOrderId,
    description: `${t('palette.order')} · ${word(status)}`,
    onClick: () => void navigate({ to: '/orders/$id', params: { id } }),
  }));
  const coupons = (data.couponByCode ? [data.couponByCode] : []).map(({ id, code, status, pool }) => ({
    id,
    label: code,
    description: `${pool.name} · ${word(status)}`,
    onClick: () => void navigate({ to: '/coupons', search: { code } }),
  }));
  return [...members, ...orders, ...coupons].map((each) => ({ ...each, keywords }));
}
