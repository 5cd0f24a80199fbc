import { Stepper, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Dialog } from '../../design/dialog.tsx';
import { useText } from '../../messages/text.ts';
import { ChooseFile } from './choose-file.tsx';
import type { ImportRowFragment } from './generated/imports.ts';
import { MapColumns } from './map-columns.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { Result } from './result.tsx';

interface ImportDialogProps {
  /** An import that has not started: the dialog continues at its step. Null for a new file. */
  readonly row: ImportRowFragment | null;
  readonly onClose: () => void;
}

const UPLOAD = 0;
const MAP = 1;
const PREVIEW = 2;
const RESULT = 3;

/**
 * Uploads a file, maps its columns, previews the first rows, and starts the import only then. An uploaded
 * file stays in the list, so that closing the dialog loses nothing.
 */
export function ImportDialog({ row: opened, onClose }: ImportDialogProps) {
  const t = useText();
  const [row, setRow] = useState(opened);
  const [at, setAt] = useState(opened?.missingParts === 0 ? MAP : UPLOAD);
  const isSending = useRef(false);
  const names = [t('imports.upload'), t('imports.map'), t('imports.check'), t('imports.result')];
  const go = (to: number) => (next: ImportRowFragment) => {
    setRow(next);
    setAt(to);
  };
  return (
    <Dialog onClose={onClose} title={t('imports.add')} size="xl" hasTyped={() => isSending.current}>
      <Steps names={names} at={at}>
        {at === UPLOAD && <ChooseFile row={row} isSending={isSending} onUploaded={go(MAP)} />}
        {at === MAP && row && <MapColumns row={row} onDone={() => setAt(PREVIEW)} />}
        {at === PREVIEW && row && <PreviewRows row={row} onBack={() => setAt(MAP)} onStarted={go(RESULT)} />}
        {at === RESULT && row && <Result row={row} onClose={onClose} />}
      </Steps>
    </Dialog>
  );
}

interface StepsProps {
  /** Names of the steps, in their order. */
  readonly names: readonly string[];
  /** Index of the current step. */
  readonly at: number;
  readonly children: ReactNode;
}

/**
 * A dialog in steps: the list of steps, and the current step. A narrow screen names only the current step.
 */
function Steps({ names, at, children }: StepsProps) {
  const t = useText();
  const where = t('step.of', { step: at + 1, steps: names.length, name: names[at] ?? '' });
  return (
    <>
      <VisuallyHidden aria-live="polite">{where}</VisuallyHidden>
      <Stepper active={at} size="xs" aria-hidden="true" visibleFrom="sm" mb="md">
        {names.map((name) => (
          <Stepper.Step key={name} label={name} allowStepSelect={false} />
        ))}
      </Stepper>
      <Text size="sm" mb="md" aria-hidden="true" hiddenFrom="sm">
        {where}
      </Text>
      {children}
    </>
  );
}
