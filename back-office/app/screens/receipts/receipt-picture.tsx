import { Button, Group, Kbd, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { ReceiptImageDocument } from './generated/receipts.ts';
import classes from './receipts.module.css';

const types = { iVBOR: 'image/png', UklGR: 'image/webp' } as const;

/** The type of an image by its first bytes. */
const typeOf = (base64: string): string => types[base64.slice(0, 5) as keyof typeof types] ?? 'image/jpeg';

const ZOOM_MAX = 4;

/** How a picture is shown. */
export interface View {
  /** 1 fits the width. */
  readonly zoom: number;
  /** Quarters of a turn to the right. */
  readonly turns: number;
}

const WHOLE: View = { zoom: 1, turns: 0 };

/** The view of a picture, with what its buttons and the keys +, - and T do. */
export function useView() {
  const [view, setView] = useState(WHOLE);
  const zoom = (step: number) =>
    setView(({ zoom: before, turns }) => ({ zoom: Math.min(ZOOM_MAX, Math.max(1, before + step)), turns }));
  const turn = () => setView(({ zoom: before, turns }) => ({ zoom: before, turns: (turns + 1) % 4 }));
  return { view, closer: () => zoom(0.5), farther: () => zoom(-0.5), turn };
}

interface PictureProps extends ReturnType<typeof useView> {
  readonly id: string;
}

/** The picture of a receipt, which can be turned and seen from nearer. */
export function ReceiptPicture({ id, view, closer, farther, turn }: PictureProps) {
  const t = useText();
  const { data, failure, reload } = useScreen(ReceiptImageDocument, { id });
  if (failure) return <FailureView failure={failure} onRetry={reload} />;
  if (!data) return <Skeleton height={280} />;
  if (!data.receiptImage) return <Text c="dimmed">{t('receipts.noImage')}</Text>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes['picture']} tabIndex={0} aria-label={t('receipts.image')}>
        <img
          src={`data:${typeOf(data.receiptImage)};base64,${data.receiptImage}`}
          alt={t('receipts.image')}
          style={{ width: `${view.zoom * 100}%`, rotate: `${view.turns * 90}deg` }}
        />
      </section>
      <Group gap="xs" my="xs">
        <Button size="xs" variant="default" onClick={closer} rightSection={<Kbd>+</Kbd>}>
          {t('receipts.closer')}
        </Button>
        <Button size="xs" variant="default" onClick={farther} rightSection={<Kbd>-</Kbd>}>
          {t('receipts.farther')}
        </Button>
        <Button size="xs" variant="default" onClick={turn} rightSection={<Kbd>T</Kbd>}>
          {t('receipts.turn')}
        </Button>
      </Group>
    </>
  );
}
