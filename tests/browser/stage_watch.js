// What test_stage.py sees of the stage: reads the page, moves by the scrubber and the buttons a person
// would press.
(() => {
  const stage = document.querySelector('[data-sv=stage]');
  const all = (name, from = stage) => [...from.querySelectorAll(`[data-sv="${name}"]`)];
  const one = (name, from = stage) => all(name, from)[0];
  const nodes = () => all('node');
  const number = (text) => (text === undefined || text === '' ? null : Number(text));
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && box(node).width > 0;
  const steps = () => Number(stage.dataset.steps);
  // Attributes have no order.
  const sorted = (html) =>
    html.replace(
      /<([\w-]+)((?: [\w-]+="[^"]*")+)/g,
      (_, tag, attributes) =>
        `<${tag} ${attributes
          .match(/[\w-]+="[^"]*"/g)
          .sort()
          .join(' ')}`,
    );
  const markup = () => ['round', 'kv'].map((name) => sorted(one(name).innerHTML)).join();
  const scrub = (at) => {
    one('scrub').value = at;
    one('scrub').dispatchEvent(new Event('input'));
  };
  /** Steps with motion to the first beat of a kind; what moves. */
  const begins = (kind) => {
    let at = 0;
    do scrub((at += 1));
    while (stage.dataset.phase !== kind);
    scrub(at - 1);
    one('forward').click();
    return document.getAnimations();
  };
  /** Stops what moves at the milliseconds that are made of its length. */
  const held = (flying, timeOf) => {
    for (const each of flying) {
      each.pause();
      each.currentTime = timeOf(each.effect.getComputedTiming().endTime);
    }
  };
  const said = (node) =>
    [...node.childNodes]
      .map((piece) =>
        piece.nodeType === Node.TEXT_NODE
          ? piece.data
          : piece.dataset.sv === 'frac'
            ? [...piece.children].map(said).join('/')
            : said(piece),
      )
      .join('');

  function ruler() {
    const home = one('segments');
    const { left, top, width } = box(home);
    const dart = one('dart');
    const frame = one('frame');
    return {
      left,
      top,
      width,
      segments: [...home.children].map((node) => ({
        share: Number(node.dataset.share),
        start: Number(node.dataset.start),
        hit: 'hit' in node.dataset,
        box: [box(node).left, box(node).right],
      })),
      dart: dart.hidden
        ? null
        : { u: Number(dart.dataset.u), x: (box(one('pin')).left + box(one('pin')).right) / 2 },
      frame: frame.hidden ? null : box(frame).width,
    };
  }

  function rows() {
    return all('row').map((row) => {
      const { tokenId, p, q, overlap, residual, rest } = row.dataset;
      const bar = one('bar', row);
      const parts = [...bar.querySelectorAll('i:not([data-kind="cut"])')].filter((part) => !part.hidden);
      const start = box(bar).left + bar.clientLeft;
      return {
        tokenId,
        p: number(p),
        q: number(q),
        overlap: number(overlap),
        residual: number(residual),
        rest: rest === 'true',
        ends: Math.max(0, ...parts.map((part) => box(part).right - start)),
        room: bar.clientWidth,
      };
    });
  }

  function look() {
    const d = stage.dataset;
    return {
      step: Number(d.step),
      steps: Number(d.steps),
      round: Number(d.round),
      phase: d.phase,
      headline: one('headline').textContent,
      nodes: nodes()
        .sort((a, b) => a.dataset.node - b.dataset.node)
        .map(({ dataset: { state, p, q, a, u } }) => ({
          state,
          p: number(p),
          q: number(q),
          a: number(a),
          u: number(u),
        })),
      rows: rows(),
      zoom: Number(one('rows').dataset.times ?? 1),
      verdict:
        all('term-verdict')
          .filter((node) => !node.hidden)
          .map(({ textContent }) => textContent)[0] ?? null,
      states: [...new Set(all('token').map(({ dataset }) => dataset.state))],
      ids: all('token').map(({ dataset }) => Number(dataset.tokenId)),
      ruler: ruler(),
      kv: {
        count: Number.parseInt(one('kv-count').textContent.replaceAll(',', ''), 10),
        cells: [...(one('held-row')?.querySelectorAll('[data-cell]') ?? [])].map(
          ({ dataset }) => dataset.cell,
        ),
      },
    };
  }

  const TESTED = ['accepted', 'rejected'];
  let stepped = [];
  let from = 0;

  /** What stands where it should not: { step, what } of `many` steps or so, spread from a seed's over the run. */
  function faults(seed, many) {
    const found = [];
    const every = Math.max(1, Math.floor(steps() / many));
    const wide = document.documentElement.scrollWidth;
    for (let at = seed % every; at < steps(); at += every) {
      scrub(at);
      const say = (what) => found.push(`${at} ${stage.dataset.phase}: ${what}`);
      if (wide > innerWidth) say(`the page is ${wide} wide`);
      const headline = one('headline');
      if (headline.scrollHeight > headline.clientHeight + 2) say('headline clipped');
      for (const text of nodes().map((slot) => one('text', slot))) {
        if (
          shown(text) &&
          text.scrollWidth > text.clientWidth + 1 &&
          !text.parentElement.title &&
          !text.closest('[title]')
        )
          say(`chip cut: ${text.textContent}`);
      }
      if (['rest', 'result'].includes(stage.dataset.phase)) continue;
      const chips = nodes()
        .map((slot) => slot.firstElementChild)
        .filter(shown);
      const first = Math.min(...chips.map((chip) => box(chip).top));
      const field = one('field');
      const lane = box(one('lane'));
      const focus = box(stage.querySelector('[aria-selected="true"]') ?? field);
      if (shown(field) && (focus.left < lane.left - 1 || focus.right > lane.right + 1))
        say('the node looked at is out of view');
      for (const node of innerWidth < 900 ? [] : all('node').filter(shown)) {
        const [a, b] = [box(node), box(field)];
        if (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1)
          say(`node ${node.dataset.node} out of the field`);
      }
      for (const node of one('work').dataset.shape === 'tree'
        ? nodes().filter(({ dataset }) => TESTED.includes(dataset.state))
        : [])
        if (!shown(one('text', node)) || box(node).width < 40)
          say(`the tested node ${node.dataset.node} has no name`);
      if (innerWidth < 500 && first > 0.41 * innerHeight) say(`first token at ${first}`);
      if (!shown(one('balance'))) {
        for (const cell of stage.querySelectorAll('[data-sv="held"] [data-cell]'))
          if (box(cell).right > box(one('held')).right) say(`cell out of the cache: ${cell.textContent}`);
        continue;
      }
      const sum = one('sum');
      for (const formula of all('equation').filter(shown))
        if (box(formula).right > box(sum).right + 1 || formula.scrollWidth > formula.clientWidth + 1)
          say(`formula cut: ${said(formula)}`);
      const [terms, beside] = [one('terms'), one('beside')];
      if (shown(beside) && box(terms).bottom > box(beside).top + 1) say('sum over its overlap');
      if (box(terms).bottom > box(sum).bottom + 1 || box(terms).top < box(sum).top - 1) say('sum cut');
      const list = all('row').filter(shown); // where guesses are chosen, q says nothing and is not drawn
      list.forEach((row, index) => {
        const next = list[index + 1];
        const type = parseFloat(getComputedStyle(row).fontSize);
        if (box(row).height < 1.05 * type) say(`row ${index} is ${box(row).height} high`);
        if (next && box(row).bottom > box(next).top + 1) say(`row ${index} over the next`);
        for (const cell of all('value', row).filter(shown)) {
          const text = document.createRange();
          text.selectNodeContents(cell);
          const bar = one('bar', row);
          if (shown(bar) && cell.textContent && box(text).left < box(bar).right)
            say(`number over a bar: ${cell.textContent}`);
          if (cell.textContent && box(text).left < box(cell).left - 1)
            say(`number out of its column: ${cell.textContent}`);
        }
      });
      if (list.length && shown(one('ruler')) && box(list.at(-1)).bottom > box(one('ruler')).top + 2)
        say('rows over the ruler');
      const labels = [
        ...all('dart-label'),
        ...all('ruler-title').filter((node) => !node.hasAttribute('data-unseen')),
      ].filter((node) => shown(node) && node.textContent);
      if (labels.length === 2 && !one('dart').hidden) {
        const range = document.createRange();
        range.selectNodeContents(labels[1]);
        const [a, b] = [box(labels[0]), box(range)];
        if (a.left < b.right && b.left < a.right && b.width) say('the number covers the title');
      }
      if (one('foot') && box(one('ruler')).bottom > box(one('foot')).top + 1) say('ruler under the foot');
    }
    return found.slice(0, 12);
  }

  window.watch = {
    /** So many steps by the forward button, from one that a seed chooses, and what is on screen. */
    walk(seed, many) {
      const seen = [];
      stepped = [];
      from = seed % (1 + Math.max(0, steps() - many));
      scrub(from);
      while (seen.push(look()) && stepped.push(markup()) < Math.min(many, steps())) one('forward').click();
      scrub(steps() - 1);
      return { seen, end: look() };
    },
    /** So many places scrubbed to, and those where it is not as stepping there. */
    jumps(many) {
      const places = Array.from({ length: many }, (_, index) => (index * 7919) % stepped.length);
      return {
        told: new Set(stepped).size,
        different: places.filter((at) => (scrub(from + at), markup() !== stepped[at])),
      };
    },
    /** Steps forward with motion and breaks off somewhere in it: where that is not the still. */
    async interrupted(seed, many) {
      const wrong = [];
      for (let turn = seed % 997; turn < (seed % 997) + many; turn += 1) {
        const at = 1 + ((turn * 3571) % (steps() - 1));
        scrub(at);
        const still = markup();
        scrub(at - 1);
        one('forward').click();
        if (markup() !== still) wrong.push(`${at} begins`);
        await new Promise((resolve) => setTimeout(resolve, (turn * 37) % 160));
        if (markup() !== still) wrong.push(`${at} moves`);
        scrub(at);
        if (markup() !== still) wrong.push(`${at} ends`);
        if (one('fly').childElementCount) wrong.push(`${at} leaves something`);
      }
      return wrong;
    },
    /** Plays the first beat of a kind and reads where the parts in flight are at some milliseconds. */
    film(kind, times) {
      const flying = begins(kind);
      const takes = Math.max(...flying.map((each) => each.effect.getComputedTiming().endTime));
      const { left, top, width } = ruler();
      const parts = times.map((time) => {
        held(flying, () => time);
        return [...one('fly').querySelectorAll('[data-fly="part"]')].map((node) => [
          box(node).left,
          box(node).right,
          box(node).bottom,
        ]);
      });
      for (const each of flying) each.play();
      return { takes, parts, ruler: { left, top, width } };
    },
    /** What can be seen at the first moment of a beat that its motion is there to reveal: kinds, early. */
    openings(many) {
      const seen = (node) => {
        for (let at = node; at; at = at.parentElement)
          if (Number(getComputedStyle(at).opacity) < 0.01) return false;
        return shown(node);
      };
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const pixel = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].map((value) => Math.round(value / 4)).join();
      };
      const early = [];
      const kinds = new Set();
      for (let at = 1; at < Math.min(steps(), many); at += 1) {
        scrub(at - 1);
        one('forward').click();
        held(document.getAnimations(), () => 0);
        const { phase } = stage.dataset;
        kinds.add(phase);
        const none = (what, nodes) => {
          if (nodes.some(seen)) early.push(`${at} ${phase}: ${what}`);
        };
        const within = (selector) => [...stage.querySelectorAll(selector)];
        if (phase === 'verify') {
          none('p of a guess', within('[data-sv="numbers"] [data-kind="p"]'));
          none('p of a row', within('[data-sv="row"] > [data-kind="p"]'));
          none('the equation', all('equation'));
          none('the ruler', [...one('segments').children]);
          none('a chance on a strip', within('[data-sv="strip"] i'));
          const grown = within('[data-sv="bar"] > [data-kind="overlap"]').filter((bar) => box(bar).width > 2);
          if (grown.length) early.push(`${at} verify: green`);
        }
        if (!one('dart').hidden && ['draft', 'dart', 'replace', 'bonus'].includes(phase)) {
          none('the number', [one('dart-label')]);
          none('the frame', [one('frame')]);
          none('the call', [one('call')]);
          none('a mark', within('[data-sv="bar"] > b'));
          const fills = [...one('segments').children]
            .filter(({ dataset }) => dataset.role !== 'others' && !dataset.refuse)
            .map((node) => getComputedStyle(node))
            .map(({ backgroundImage: image, backgroundColor }) =>
              pixel(/linear-gradient\((.*), \1\)/.exec(image)?.[1] ?? backgroundColor),
            );
          if (phase !== 'dart' && one('cover').hidden && new Set(fills).size > 1)
            early.push(`${at} ${phase}: segments differ`);
          if (phase !== 'dart' && !one('cover').hidden && !seen(one('cover'))) early.push(`${at}: no cover`);
          if (phase !== 'dart')
            none('the chip', [stage.querySelector('[aria-selected="true"] [data-sv="chip"]')]);
        }
        if (phase === 'join') none('its words', within('[data-fresh] u'));
        if (phase === 'trim')
          for (const cell of within('[data-sv="held"] [data-cell="rolled-back"]'))
            if (getComputedStyle(cell).translate !== '0px') early.push(`${at} trim: a cell has fallen`);
      }
      return { kinds: [...kinds], early };
    },
    /** How far each kept chip is from its word when it has flown there. */
    landing() {
      const flying = begins('join');
      held(flying, (end) => end - 1);
      const [chips, words] = [all('chip', one('fly')), [...one('ribbon').querySelectorAll('[data-fresh] u')]];
      const off = chips.map(
        (chip, index) =>
          Math.abs(box(chip).left - box(words[index]).left) + Math.abs(box(chip).top - box(words[index]).top),
      );
      for (const each of flying) each.play();
      return { chips: chips.length, words: words.length, off: Math.max(...off) };
    },
    /** What the count over the cells reads while they fall, number by number, and after. */
    async counting() {
      begins('trim');
      const copy = one('held-count', one('fly'));
      const number = () => Number.parseInt(copy.textContent, 10);
      const read = [number()];
      const watching = new MutationObserver(() => read.push(number()));
      watching.observe(copy, { childList: true, characterData: true, subtree: true });
      while (copy.isConnected) await new Promise((resolve) => setTimeout(resolve, 50));
      return { read, after: Number.parseInt(one('kv-count').textContent, 10) };
    },
    faults,
  };
})();
