import { Alert, Button, Group, Kbd, Skeleton, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { FailureView } from '../../design/failure-view.tsx';
import { type CallFailure, failureOf } from '../../graph/failures.ts';
import { useText } from '../../messages/text.ts';
import { ReceiptImageDocument } from './generated/receipts.ts';
import classes from './receipts.module.css';

const ZOOM_MAX = 4;

/** Zoom and rotation of a picture. */
export interface View {
  /** Zoom factor. 1 fits the width. */
  readonly zoom: number;
  /** Clockwise quarter turns. */
  readonly turns: number;
}

const WHOLE: View = { zoom: 1, turns: 0 };

/** The zoom and rotation of a picture, with the functions of its buttons and of the keys +, - and T. */
export function useView() {
  const [view, setView] = useState(WHOLE);
  const zoom = (step: number) =>
    setView(({ zoom: before, turns }) => ({ zoom: Math.min(ZOOM_MAX, Math.max(1, before + step)), turns }));
  const turn = () => setView(({ zoom: before, turns }) => ({ zoom: before, turns: (turns + 1) % 4 }));
  return { view, zoomIn: () => zoom(0.5), zoomOut: () => zoom(-0.5), turn };
}

/** Preloads a picture. */
function loadAhead(url: string): HTMLImageElement {
  const image = new Image();
  image.src = url;
  return image;
}

interface Waiting {
  readonly id: string;
}

/** The link to a picture, as the API returned it. */
interface PictureLink {
  /** Null if there is no picture or the query failed. */
  readonly url: string | null;
  readonly failure: CallFailure | null;
  /** Number of the response. A new response renders the image again. */
  readonly answer: number;
}

/**
 * Links to the pictures of the open receipt and of the next one, which is preloaded. Links and pictures are
 * kept while the screen is open. The browser would load a picture again for another link, or after it was
 * garbage-collected.
 */
export function usePictureLinks(waiting: readonly Waiting[], open: Waiting | undefined) {
  const place = open ? waiting.indexOf(open) : -1;
  const ids = place < 0 ? [] : waiting.slice(place, place + 2).map(({ id }) => id);
  const client = useClient();
  const asked = useRef(new Set<string>());
  const loaded = useRef(new Map<string, HTMLImageElement>());
  const [links, setLinks] = useState<Readonly<Record<string, PictureLink>>>({});
  const ask = async (id: string) => {
    asked.current.add(id);
    const context = { requestPolicy: 'network-only' } as const;
    const { data, error } = await client.query(ReceiptImageDocument, { id }, context).toPromise();
    const link = data?.receipt?.imageUrl;
    // The links have the origin of the back office, although their host name may differ.
    const url = link ? new URL(link).pathname : null;
    if (url) loaded.current.set(id, loadAhead(url));
    setLinks((before) => ({
      ...before,
      [id]: {
        url,
        failure: error ? failureOf(error) : null,
        answer: (before[id]?.answer ?? 0) + 1,
      },
    }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other receipts are asked for
  useEffect(() => {
    for (const id of ids) if (!asked.current.has(id)) void ask(id);
  }, [ids.join()]);
  return { links, ask };
}

export type PictureLinks = ReturnType<typeof usePictureLinks>;

interface PictureProps extends ReturnType<typeof useView> {
  readonly id: string;
  readonly pictures: PictureLinks;
}

/** The picture of a receipt, with zoom and rotation. */
export function ReceiptPicture({ id, pictures: { links, ask }, view, zoomIn, zoomOut, turn }: PictureProps) {
  const t = useText();
  const [state, setState] = useState<'LOADING' | 'SHOWN' | 'FAILED'>('LOADING');
  const [isRenewed, setRenewed] = useState(false);
  const link = links[id];
  const retry = () => {
    setState('LOADING');
    void ask(id);
  };
  const onError = () => {
    if (isRenewed) return setState('FAILED');
    // The link may have expired while the tab was open.
    setRenewed(true);
    void ask(id);
  };
  if (!link) return <Skeleton height={280} />;
  if (link.failure) return <FailureView failure={link.failure} onRetry={retry} />;
  if (!link.url) return <Text c="dimmed">{t('receipts.noImage')}</Text>;
  if (state === 'FAILED')
    return (
      <Alert color="red" title={t('receipts.imageFailed')} role="alert">
        <Button size="xs" variant="default" onClick={retry}>
          {t('error.retry')}
        </Button>
      </Alert>
    );
  return (
    <>
      {state === 'LOADING' && <Skeleton height={280} />}
      <section
        className={classes['picture']}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label={t('receipts.image')}
        hidden={state === 'LOADING'}
      >
        <img
          key={link.answer}
          src={link.url}
          alt={t('receipts.image')}
          onLoad={() => setState('SHOWN')}
          onError={onError}
          style={{ width: `${view.zoom * 100}%`, rotate: `${view.turns * 90}deg` }}
        />
      </section>
      <Group gap="xs" my="xs">
        <Button size="xs" variant="default" onClick={zoomIn} rightSection={<Kbd>+</Kbd>}>
          {t('receipts.closer')}
        </Button>
        <Button size="xs" variant="default" onClick={zoomOut} rightSection={<Kbd>-</Kbd>}>
          {t('receipts.farther')}
        </Button>
        <Button size="xs" variant="default" onClick={turn} rightSection={<Kbd>T</Kbd>}>
          {t('receipts.turn')}
        </Button>
      </Group>
    </>
  );
}
