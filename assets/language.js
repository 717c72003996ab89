/* Says in <html data-sv-lang> which of some languages the page speaks: the one that lang= in its address
   asks for, else the one chosen in Settings, else the first of the browser's that is among them. */
(languages) => {
  const asked = [location.hash, location.search].map((part) =>
    new URLSearchParams(part.slice(1)).get('lang'),
  );
  let chosen = null;
  try {
    chosen = localStorage.getItem('specviz.language');
  } catch {
    // a browser, or a frame, that stores nothing
  }
  const tags = [...asked, chosen, ...navigator.languages].map(
    (tag) => (tag ?? '').toLowerCase().split('-')[0],
  );
  document.documentElement.dataset.svLang =
    languages[tags.find((tag) => Object.hasOwn(languages, tag))] ?? 'en';
};
