/* Puts the words of the controls into the page's language before Gradio draws them. `sentences` holds each
   by its English. */
(sentences) => {
  const name = document.documentElement.dataset.svLang.split('-')[0];
  if (name === 'en') return;
  const word = (text) => (Object.hasOwn(sentences, text) ? sentences[text][name] : text);
  const label = (text) =>
    word(text).replace(/^(\w+, [\d.]+) to ([\d.]+)$/, (_, low, high) => `${low} ${word('to')} ${high}`);
  const choice = (text) =>
    text
      .split(' · ')
      .map((part, at) => (at ? part : word(part)))
      .join(' · ');
  const SAID = ['label', 'info', 'help', 'summary'];

  function translate(value) {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (SAID.includes(key) && typeof part === 'string') value[key] = label(part);
      else if (key === 'choices' && Array.isArray(part))
        part.forEach((pair) => {
          pair[0] = choice(pair[0]);
        });
      else translate(part);
    }
  }

  for (const { type, props } of window.gradio_config.components) {
    translate(props);
    if (type === 'button' || type === 'markdown') props.value = word(props.value);
  }
};
