/* Says in <html lang> which language the page speaks: the one that lang= in its address asks for, else the first of the browser's that it knows. */
{
  const spoken = { en: 'en', de: 'de', zh: 'zh-Hans' };
  const asked = [location.hash, location.search].map((part) => new URLSearchParams(part.slice(1)).get('lang'));
  const tags = [...asked, ...navigator.languages].map((tag) => (tag ?? '').toLowerCase().split('-')[0]);
  document.documentElement.lang = spoken[tags.find((tag) => Object.hasOwn(spoken, tag))] ?? 'en';
}
