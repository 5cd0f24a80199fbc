import type { ReactNode } from 'react';
import type { DocumentName } from '../../generated/demands.ts';
import { FailureView } from '../design/failure-view.tsx';
import { Screen } from '../design/screen.tsx';
import { failureFrom } from './failures.ts';
import { refusalFor } from './permissions.ts';
import { useViewer } from './viewer.ts';

/** Shows a screen, or the reason why the viewer may not open it. The reason is that of the gateway. */
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
      <FailureView failure={failureFrom(refused.code, refused.category, refused.details)} color="yellow" />
    </Screen>
  );
}
