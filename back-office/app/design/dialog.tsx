import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';
import { useUnsaved } from './use-unsaved.tsx';

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps['size'];
  readonly onClose: () => void;
  /** Does it hold what would be lost? Then closing asks first. */
  readonly hasTyped?: () => boolean;
  /** It shows what is never shown again: only its own button closes it. */
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the screen; Escape, its cross and a press beside it close it, but lose nothing. */
export function Dialog({
  title,
  size = 'md',
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
  return (
    <>
      <Modal
        opened
        onClose={() => ask(onClose)}
        title={title}
        size={size}
        withCloseButton={!isShownOnce}
        closeOnEscape={canClose}
        closeOnClickOutside={canClose}
        trapFocus={!isAsking}
        closeButtonProps={{ 'aria-label': t('dialog.close') }}
        centered
      >
        {children}
      </Modal>
      {question}
    </>
  );
}
