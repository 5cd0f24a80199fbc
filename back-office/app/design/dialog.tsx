import { Drawer, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';
import { useUnsaved } from './use-unsaved.tsx';

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
