// What is shown, or read out, in some English words, but for tokens, which stand in quotes or in parts of
// their own, and pseudo-code.
(words) => {
  const said = new RegExp(`\\b(?:${words})\\b`, 'gi');
  const parts = ['tape', 'node', 'bars', 'ruler', 'token', 'code', 'no-charts'].map(
    (name) => `[data-sv=${name}]`,
  );
  const own = [...parts, 'textarea', '[data-pane=code]', '[data-chart] svg'].join(', ');
  const found = new Set();
  const look = (text) => {
    const bare = text.replace(/„[^“]*“|“[^”]*”|made-up target/g, '');
    for (const word of bare.match(said) ?? []) found.add(`${word} in: ${text.trim()}`);
  };
  for (const node of document.body.querySelectorAll('*')) {
    if (node.closest(own) || !node.checkVisibility() || ['SCRIPT', 'STYLE'].includes(node.tagName)) continue;
    for (const child of node.childNodes)
      if (child.nodeType === Node.TEXT_NODE && !node.closest('svg')) look(child.data);
    for (const name of ['aria-label', 'title', 'placeholder']) look(node.getAttribute(name) ?? '');
  }
  return [...found];
};
