import { Button, Drawer, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useText } from '../messages/text.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps['size'];
  /** A drawer for long content: it has the full height at the side, and the screen stays visible. */
  readonly isDrawer?: boolean;
  readonly onClose: () => void;
  /** Does the dialog hold typed values? Then closing asks for confirmation. */
  readonly hasTyped?: () => boolean;
  /** The content is never shown again. Only the dialog's own button closes it. */
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the screen, or a drawer at its side. Escape, the close button and a click outside close it.
 * If values were typed, it asks for confirmation first; if its content is shown only once, it stays open.
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
  /** Leaves at once if nothing would be lost. Otherwise asks for confirmation first. */
  readonly ask: (leave: () => void) => void;
  /** The confirmation dialog, while it is open. */
  readonly question: ReactNode;
  readonly isAsking: boolean;
}

/**
 * Asks for confirmation before content is lost: when the dialog closes, another screen opens, or the page is
 * left.
 *
 * @param what - `typed` for typed values, `once` for content that is shown only once
 */
function useUnsaved(hasTyped: () => boolean, what: 'typed' | 'once' = 'typed'): Unsaved {
  const latest = useRef(hasTyped);
  latest.current = hasTyped;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const wouldLose = useCallback(() => latest.current(), []);
  const { status, proceed, reset } = useBlocker({
    // Another filter or tab of the same screen keeps the dialog.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && wouldLose(),
    enableBeforeUnload: wouldLose,
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
    ask: (then) => (wouldLose() ? setLeave(() => then) : then()),
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
