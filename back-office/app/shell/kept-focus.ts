/** An element that had the focus, with the elements around it, the nearest first. */
interface Place {
  readonly element: Element;
  readonly around: readonly Element[];
  /** The screen, menu or dialog that contains the element. */
  readonly whole: Element | null;
}

const WHOLES = '#screen, main, nav, [role="dialog"], [role="menu"]';
const TABBABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
const PLACES_MAX = 8;

/** Focuses the title of the screen, so that Tab continues from there. */
export function focusScreen(): void {
  document.querySelector<HTMLElement>('#screen h1')?.focus({ preventScroll: true });
}

/**
 * Keeps the focus near the place where a person works. The focused element may disappear: a row is removed, a
 * dialog closes, a button is disabled while it waits. Then the nearest element gets the focus, or the element
 * that had it before.
 *
 * @returns a function that stops this
 */
export function keepFocus(): () => void {
  let places: Place[] = [];
  let isLeft = false;
  let frame = 0;
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    isLeft = false;
    places = [placeOf(target), ...places.filter(({ element }) => element !== target)].slice(0, PLACES_MAX);
  };
  // A click on the background removes the focus on purpose.
  const leave = (): void => {
    isLeft = true;
  };
  const restore = (): void => {
    frame = 0;
    const [last] = places;
    if (!last || document.activeElement !== document.body) return;
    if (last.element.isConnected && (isLeft || isWaiting(last.element))) return;
    refocus(places);
  };
  const changes = new MutationObserver(() => {
    frame ||= requestAnimationFrame(restore);
  });
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  addEventListener('focusin', remember);
  addEventListener('pointerdown', leave);
  return () => {
    changes.disconnect();
    cancelAnimationFrame(frame);
    removeEventListener('focusin', remember);
    removeEventListener('pointerdown', leave);
  };
}

function placeOf(element: Element): Place {
  const whole = element.closest(WHOLES);
  const end = whole ?? element.parentElement;
  const around: Element[] = [];
  for (let each: Element | null = element; each && each !== end; each = each.parentElement) {
    around.push(each);
    // Siblings of the content are skipped: in a dialog the close button, in a screen the title.
    if (each.parentElement === whole) continue;
    const { nextElementSibling: next, previousElementSibling: previous } = each;
    around.push(...[next, previous].filter((sibling) => sibling !== null));
  }
  return { element, around, whole };
}

/** Restores the focus, trying the latest place first. Waits while a dialog or list is loading. */
function refocus(places: readonly Place[]): void {
  for (const { around, whole } of places) {
    const left = around.filter(({ isConnected }) => isConnected);
    if (left.some((each) => each.querySelector('[aria-busy="true"]'))) return;
    const target = left.map(firstTabbable).find(Boolean);
    target?.focus({ preventScroll: true });
    if (target || (whole?.isConnected && whole.id !== 'screen')) return;
    if (whole?.isConnected) break;
  }
  focusScreen();
}

const firstTabbable = (part: Element): HTMLElement | undefined =>
  [part, ...part.querySelectorAll(TABBABLE)]
    .filter((each) => each instanceof HTMLElement)
    .find((each) => each.matches(TABBABLE) && !each.matches(':disabled') && each.checkVisibility());

/** Is the element a button that waits for a response? It gets the focus back afterwards. */
const isWaiting = (element: Element): boolean => element.matches(':disabled[data-loading]');
