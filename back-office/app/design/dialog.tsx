import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: ModalProps['size'];
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog over the screen; Escape, its cross and a press beside it close it. */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  const t = useText();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
      centered
    >
      {children}
    </Modal>
  );
}
