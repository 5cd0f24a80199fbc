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
  /** An import that is not started: it goes on at its step. Null for another file. */
  readonly row: ImportRowFragment | null;
  readonly onClose: () => void;
}

const UPLOAD = 0;
const MAP = 1;
const PREVIEW = 2;
const RESULT = 3;

/**
 * Sends a file, says what its columns fill, shows how its first rows are read, and starts the import only
 * then. The file stays in the list: closing the dialog loses nothing.
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
  /** Place of the step that is shown. */
  readonly at: number;
  readonly children: ReactNode;
}

/** What is done step by step: where one is, and the step itself. A narrow screen names only this one. */
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
