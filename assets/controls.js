/* Puts the words of the controls into the page's language before Gradio draws them. `tables` holds the words' section
   `controls` by language; a component's id says what it is. */
(tables) => {
  const words = tables[document.documentElement.dataset.svLang.split('-')[0]];
  if (!words) return;
  const { widgets, plugins } = words;

  /** A parameter of a plug-in, whose name is in a class. */
  function tell(props, param) {
    const [plugin] = (props.elem_classes ?? []).filter((name) => name.startsWith('sv-of-'));
    props.info = plugins[plugin?.slice(6)]?.params?.[param] ?? props.info;
  }

  for (const { type, props } of window.gradio_config.components) {
    const id = (props.elem_id ?? '').replace(/^sv-/, '');
    const [, param] = id.split('-param-');
    const name = id.replaceAll('-', '_');
    if (param) tell(props, param);
    else if (type === 'button') props.value = widgets.buttons[name] ?? props.value;
    else if (Object.hasOwn(widgets.labels, name)) {
      props.label = widgets.labels[name];
      props.info = widgets.help[name] ?? props.info;
    }
    for (const choice of widgets[`${name}s`] ? props.choices : [])
      choice[0] = widgets[`${name}s`][choice[1]] ?? choice[0];
  }
};
