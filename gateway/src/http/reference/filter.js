// Shows only those entries of the page whose text has every word that is typed.
const field = document.getElementById('words');
const found = document.getElementById('found');
const entries = [...document.querySelectorAll('[data-entry]')].map((element) => ({
  element,
  text: element.textContent.toLowerCase(),
}));

function filter() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text } of entries) {
    element.hidden = !words.every((word) => text.includes(word));
    if (!element.hidden) count += 1;
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = !section.querySelector('[data-entry]:not([hidden])');
  found.textContent = words.length > 0 ? `${count} of ${entries.length}` : '';
}

document.getElementById('filter').hidden = false;
field.addEventListener('input', filter);
filter();
