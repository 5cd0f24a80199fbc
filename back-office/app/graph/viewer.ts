import { createContext, useContext } from 'react';
import type { DocumentName, demands } from '../../generated/demands.ts';
import type { ViewerQuery } from './generated/viewer.ts';
import { permittedParts, refusalFor } from './permissions.ts';

export type Viewer = ViewerQuery['viewer'];

export const ViewerContext = createContext<Viewer | null>(null);

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('Nobody is signed in here.');
  return viewer;
}

type Parts<Document extends DocumentName> = keyof (typeof demands)[Document]['parts'];

/** The variables that leave out of a document what the viewer may not see. */
export function useConditions<Document extends DocumentName>(
  document: Document,
): Readonly<Record<Parts<Document>, boolean>> {
  return permittedParts(useViewer(), document) as Record<Parts<Document>, boolean>;
}

/** Is the viewer permitted to run all of these documents? */
export function useCan(...documents: readonly DocumentName[]): boolean {
  const viewer = useViewer();
  return documents.every((document) => refusalFor(viewer, document) === null);
}

export const ReloadViewerContext = createContext<() => void>(() => undefined);

/** Reads the viewer again, after their permissions or the modules changed. */
export const useReloadViewer = (): (() => void) => useContext(ReloadViewerContext);
