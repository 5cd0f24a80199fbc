import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DocumentName } from '../../generated/demands.ts';
import { Screen } from '../design/screen.tsx';
import { refusalFor } from './permissions.ts';
import { useViewer } from './viewer.ts';

/** A screen, or who may open it: the same that the gateway would say. */
export function Guarded({
  title,
  document,
  children,
}: {
  readonly title: string;
  readonly document: DocumentName;
  readonly children: ReactNode;
}) {
  const refused = refusalFor(useViewer(), document);
  if (!refused) return <>{children}</>;
  return (
    <Screen title={title}>
      <Alert color="yellow" role="alert" title={refused.message} />
    </Screen>
  );
}
