import { Button, Drawer, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useText } from '../messages/text.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps['size'];
  /** For what is long: it takes the whole height at the side, and the screen stays in view. */
  readonly isDrawer?: boolean;
  readonly onClose: () => void;
  /** Does it hold what would be lost? Then closing asks first. */
  readonly hasTyped?: () => boolean;
  /** It shows what is never shown again: only its own button closes it. */
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the screen, or a drawer at its side. Escape, its cross and a press beside it close it where
 * nothing is lost; what was typed is asked for first, and what is shown once stays.
 */
export function Dialog({
  title,
  size = 'md',
  isDrawer = false,
  onClose,
  hasTyped = () => false,
  isShownOnce = false,
  children,
}: DialogProps) {
  const t = useText();
  const { ask, question, isAsking } = useUnsaved(
    () => isShownOnce || hasTyped(),
    isShownOnce ? 'once' : 'typed',
  );
  const canClose = !isShownOnce && !isAsking;
  const frame = {
    opened: true,
    onClose: () => ask(onClose),
    title,
    size,
    withCloseButton: !isShownOnce,
    closeOnEscape: canClose,
    closeOnClickOutside: canClose,
    trapFocus: !isAsking,
    closeButtonProps: { 'aria-label': t('dialog.close') },
  };
  return (
    <>
      {isDrawer ? (
        <Drawer {...frame} position="right">
          {children}
        </Drawer>
      ) : (
        <Modal {...frame} centered>
          {children}
        </Modal>
      )}
      {question}
    </>
  );
}

interface Unsaved {
  /** Does it at once where nothing would be lost; else only after the question was answered. */
  readonly ask: (leave: () => void) => void;
  /** The question, where it is open. */
  readonly question: ReactNode;
  readonly isAsking: boolean;
}

/**
 * Asks before something is lost: by closing, by another screen, or by leaving the page.
 *
 * @param what - typed values, or what is shown once
 */
function useUnsaved(hasTyped: () => boolean, what: 'typed' | 'once' = 'typed'): Unsaved {
  const latest = useRef(hasTyped);
  latest.current = hasTyped;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isHeld = useCallback(() => latest.current(), []);
  const { status, proceed, reset } = useBlocker({
    // Another filter or tab of the same screen loses nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isHeld(),
    enableBeforeUnload: isHeld,
    withResolver: true,
  });
  const isBlocked = status === 'blocked';
  const isAsking = isBlocked || leave !== null;
  const stay = () => {
    setLeave(null);
    reset?.();
  };
  const discard = () => {
    setLeave(null);
    if (isBlocked) proceed?.();
    else leave?.();
  };
  return {
    ask: (then) => (isHeld() ? setLeave(() => then) : then()),
    question: isAsking && <Question what={what} onStay={stay} onDiscard={discard} />,
    isAsking,
  };
}

interface QuestionProps {
  readonly what: 'typed' | 'once';
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

function Question({ what, onStay, onDiscard }: QuestionProps) {
  const t = useText();
  const isOnce = what === 'once';
  const title = t(isOnce ? 'unsaved.onceTitle' : 'unsaved.title');
  return (
    <Modal opened onClose={onStay} title={title} withCloseButton={false} zIndex={300} centered>
      <Text size="sm">{t(isOnce ? 'unsaved.once' : 'unsaved.text')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('unsaved.stay')}
        </Button>
        <Button color="red" onClick={onDiscard}>
          {t('unsaved.discard')}
        </Button>
      </Group>
    </Modal>
  );
}
