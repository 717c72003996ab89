// What is shown, or read out, in English words, but for the text of tokens, which stands in quotes or in parts of its own.
(words) => {
  const said = new RegExp(`\\b(?:${words})\\b`, 'gi');
  const parts = ['tape', 'slot', 'bars', 'ruler', 'token', 'code', 'no-charts'].map((name) => `[data-sv=${name}]`);
  const own = [...parts, 'textarea', 'code', '[data-chart] svg'].join(', ');
  const found = new Set();
  const look = (text) => {
    const bare = text.replace(/„[^“]*“|“[^”]*”/g, '');
    for (const word of bare.match(said) ?? []) found.add(`${word} in: ${text.trim()}`);
  };
  for (const node of document.body.querySelectorAll('*')) {
    if (node.closest(own) || !node.checkVisibility() || ['SCRIPT', 'STYLE'].includes(node.tagName)) continue;
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE && !node.closest('svg')) look(child.data);
    for (const name of ['aria-label', 'title', 'placeholder']) look(node.getAttribute(name) ?? '');
  }
  return [...found];
}
