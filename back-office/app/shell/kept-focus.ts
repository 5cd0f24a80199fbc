/** What had the focus, with what is around it, the nearest first. */
interface Place {
  readonly element: Element;
  readonly around: readonly Element[];
  /** The screen, menu or dialog that it is a part of. */
  readonly whole: Element | null;
}

const WHOLES = '#screen, main, nav, [role="dialog"], [role="menu"]';
const TABBABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';
const PLACES_MAX = 8;

/** Puts the focus at the beginning of the screen, from where Tab leads on. */
export function focusScreen(): void {
  document.querySelector<HTMLElement>('#screen h1')?.focus({ preventScroll: true });
}

/**
 * Keeps the focus where somebody works. What has it may be taken away: a row that is removed, a dialog that
 * closes, a button that waits. Then what is nearest gets it, or what had it before.
 *
 * @returns what ends it
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
  // A press on nothing takes the focus away on purpose.
  const leave = (): void => {
    isLeft = true;
  };
  const look = (): void => {
    frame = 0;
    const [last] = places;
    if (!last || document.activeElement !== document.body) return;
    if (last.element.isConnected && (isLeft || isWaiting(last.element))) return;
    refocus(places);
  };
  const changes = new MutationObserver(() => {
    frame ||= requestAnimationFrame(look);
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
    // Beside the content of a dialog there is its cross alone, beside that of a screen its title.
    if (each.parentElement === whole) continue;
    const { nextElementSibling: next, previousElementSibling: previous } = each;
    around.push(...[next, previous].filter((sibling) => sibling !== null));
  }
  return { element, around, whole };
}

/** Tries places from the last one on. What a dialog or list will show once it is loaded is awaited. */
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

/** A button that waits for an answer gets the focus back afterwards. */
const isWaiting = (element: Element): boolean => element.matches(':disabled[data-loading]');
