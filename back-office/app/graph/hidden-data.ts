import { useSyncExternalStore } from 'react';
import { type Exchange, formatDocument, makeOperation, mapExchange, type Operation } from 'urql';
import { masked } from './masked-answer.ts';
import { createSignal } from './signal.ts';

const KEPT = 'loyalty-hide-personal';
const choices = createSignal();
/** The choice belongs to this tab alone, for somebody who shares their screen. */
let isHidden = sessionStorage.getItem(KEPT) !== null;

/** Hides personal data of members in this tab, or shows them again. All data are loaded again. */
export function hidePersonalData(hide: boolean): void {
  isHidden = hide;
  if (hide) sessionStorage.setItem(KEPT, '');
  else sessionStorage.removeItem(KEPT);
  choices.send();
}

export const isDataHidden = (): boolean => isHidden;

/** Are personal data of members hidden? Then they cannot be changed or sent. */
export const useHiddenData = (): boolean => useSyncExternalStore(choices.listen, () => isHidden);

/** Sets the variable `masked` if the document has it, and adds `__typename` everywhere. */
function askingMasked(operation: Operation): Operation {
  const query = formatDocument(operation.query);
  const canMask = query.definitions.some(
    (each) =>
      each.kind === 'OperationDefinition' &&
      each.variableDefinitions?.some(({ variable }) => variable.name.value === 'masked'),
  );
  const variables = canMask ? { ...operation.variables, masked: true } : operation.variables;
  return makeOperation(operation.kind, { ...operation, query, variables }, operation.context);
}

/** Masks personal data in the results of all operations. */
export const hiddenDataExchange: Exchange = mapExchange({
  onOperation: askingMasked,
  onResult: (result) => ({ ...result, data: masked(result.data) }),
});
