// Runs on the page of the graph and on the list of errors: filters their entries, and opens what a link names.
const field = document.getElementById('words');
const found = document.getElementById('found');
const textOf = ({ textContent }) => textContent.toLowerCase();
const entries = [...document.querySelectorAll('[data-entry]')].map((element) => {
  const owner = element.closest('details');
  // The name of a type is a part of its fields.
  return { element, owner, text: `${owner ? textOf(owner.firstElementChild) : ''} ${textOf(element)}` };
});
const types = [...document.querySelectorAll('details')];
/** Types that are opened at once by the filter. */
const OPEN_MAX = 30;

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  const shown = new Set();
  for (const { element, owner, text } of entries) {
    element.hidden = !words.every((word) => text.includes(word));
    if (element.hidden) continue;
    count += 1;
    shown.add(owner);
  }
  for (const type of types) {
    const isNamed =
      words.length === 0 || words.every((word) => textOf(type.firstElementChild).includes(word));
    type.hidden = !isNamed && !shown.has(type);
    type.open = words.length > 0 && shown.has(type) && shown.size <= OPEN_MAX;
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = !section.querySelector(':is(details, li[data-entry]):not([hidden])');
  found.textContent = words.length > 0 ? `${count} of ${entries.length}` : '';
}

/** A link to something closed opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const type = target?.closest('details');
  if (!type) return;
  type.open = true;
  target.scrollIntoView();
}

if (field) {
  document.getElementById('filter').hidden = false;
  field.addEventListener('input', filter);
  addEventListener('hashchange', openTarget);
  openTarget();
}
