/**
 * format.js: makes sentences out of messages. Pure. specviz/config/words.py reads the same grammar.
 *
 * {name}                                   the value
 * {name, plural, =0 {…} one {…} other {#}} by an exact number or the language's plural; # is the value
 * {name, select, a {…} none {…} other {…}} by the value; none: it is missing; no: missing, false, 0 or empty
 * {names, list} {names, list, <b>{item}</b>}  a, b and c, each item in its own message
 * {name, words}                            the message grammar.words, whose {value} is the value; or what `kinds`
 *                                          makes of it
 * {name, Words}                            the same with a capital
 * <role>…</role>                           a piece with a role; <late>, <var>, <sub>, <long>, <short>
 * \{ \} \<                                 the letters themselves
 */

const OPENING = /\\[{}<]|[{}#]|<(\/?)([a-z]+)>/g;
const MARKS = ['sub', 'long', 'short'];
/** A number of thousands, or one with a unit, as the server sends it. */
const COUNTED = /^(\d{1,3}(,\d{3})+|\d+\.\d+ [A-Za-z]+)$/;

/** @typedef {string | {text?: string, pieces?: Piece[], role?: string, late?: boolean, var?: string}} Piece */

/**
 * A message as a tree.
 * @returns {Array<string | {name: string, kind?: string, cases?: object, item?: Array} | {tag: string, nodes: Array}>}
 */
export function parse(message) {
  let at = 0;
  const fail = (wanted) => {
    throw new SyntaxError(`${message}: wanted ${wanted} at ${at}`);
  };
  const take = (pattern, wanted) => {
    const match = new RegExp(pattern, 'y');
    match.lastIndex = at;
    const taken = match.exec(message) ?? fail(wanted);
    at = match.lastIndex;
    return taken[1] ?? taken[0];
  };

  /** The text up to a closing brace or tag, or the end. */
  function nodes(end, inPlural) {
    const list = [];
    const text = (part) => {
      if (typeof list.at(-1) === 'string') list[list.length - 1] += part;
      else if (part) list.push(part);
    };
    for (;;) {
      OPENING.lastIndex = at;
      const sign = OPENING.exec(message);
      text(message.slice(at, sign?.index));
      at = sign ? OPENING.lastIndex : message.length;
      const [token, closes, tag] = sign ?? [''];
      if (token === end) return list;
      if (!token || token === '}' || closes) fail(end || 'end');
      if (token === '{') list.push(argument(inPlural));
      else if (tag) list.push({ tag, nodes: nodes(`</${tag}>`, inPlural) });
      else if (token === '#' && inPlural) list.push({ name: inPlural });
      else text(token.replace('\\', ''));
    }
  }

  function item(inPlural) {
    take('\\s*', '');
    return nodes('}', inPlural);
  }

  function argument(inPlural) {
    const name = take('\\s*(\\w+)\\s*', 'a name');
    if (take('[,}]', 'a comma or }') === '}') return { name };
    const kind = take('\\s*(\\w+)\\s*', 'a kind');
    const more = take('[,}]', 'a comma or }') === ',';
    if (kind === 'list') return { name, kind, item: more ? item(inPlural) : [{ name: 'item' }] };
    if (!more) return { name, kind };
    const cases = Object.create(null);
    for (;;) {
      if (take('\\s*([}]?)', '') === '}') return { name, kind, cases };
      cases[take('(=?[^\\s{}]+)\\s*[{]', 'a case')] = nodes('}', kind === 'plural' ? name : inPlural);
    }
  }

  return nodes('');
}

/**
 * Reads the messages of a language.
 * @param {string} tag such as zh-Hans
 * @param {object} grammar messages by name, which others use as kinds
 * @param {(code: string) => string | undefined} lookup the message of a code: a value { code, ... } is one itself
 * @param {string[]} marks what the language writes for the point and the comma of 1,234.5
 * @returns {(nodes: Array, values: object) => Piece[]}
 */
export function speaker(tag, grammar, lookup, kinds = {}, marks = ['.', ',']) {
  const rules = new Intl.PluralRules(tag);
  const parsed = new Map();
  const tree = (message) => parsed.get(message) ?? parsed.set(message, parse(message)).get(message);

  /** A value as pieces. */
  function shown(value) {
    if (Array.isArray(value)) return value;
    if (typeof value === 'object' && value !== null) return value.code ? coded(value) : [value];
    return [typeof value === 'number' ? written(String(value), marks) : String(value ?? '')];
  }

  /** The sentence of a code; one that nobody knows stays as it is. */
  function coded(value) {
    const message = lookup(value.code);
    return message === undefined ? [String(value.code)] : said(tree(message), counted(value, marks));
  }

  function chosen({ kind, cases }, value) {
    if (kind === 'select') return cases[value ?? 'none'] ?? (value ? null : cases.no) ?? cases.other ?? [];
    const number = typeof value === 'number' ? value : numberIn(String(value), marks);
    return cases[`=${number}`] ?? cases[rules.select(number)] ?? cases.other ?? [];
  }

  function argument(node, values) {
    const value = values[node.name];
    if (!node.kind) return shown(value);
    if (node.cases) return said(chosen(node, value), values);
    if (node.kind === 'list') {
      const items = value.map((item) => said(node.item, { ...values, item }));
      const between = (at) => (at ? [at < items.length - 1 ? grammar.comma : grammar.and] : []);
      return items.flatMap((item, at) => [...between(at), ...item]);
    }
    const kind = node.kind[0].toLowerCase() + node.kind.slice(1);
    const pieces = kinds[kind] ? [kinds[kind](value)] : said(tree(grammar[kind]), { ...values, value });
    return kind === node.kind
      ? pieces
      : [pieces[0][0].toUpperCase() + pieces[0].slice(1), ...pieces.slice(1)];
  }

  function said(nodes, values) {
    const pieces = nodes.flatMap((node) => {
      if (typeof node === 'string') return [node];
      return node.tag ? [marked(node.tag, said(node.nodes, values))] : argument(node, values);
    });
    return pieces.reduce((joined, piece) => {
      if (typeof piece === 'string' && typeof joined.at(-1) === 'string') joined[joined.length - 1] += piece;
      else if (piece !== '') joined.push(piece);
      return joined;
    }, []);
  }

  return said;
}

/**
 * A number with a point and commas, as the language writes it.
 * @param {string} text
 * @param {string[]} marks
 */
function written(text, [point, comma]) {
  return text.replace(/[.,]/g, (mark) => (mark === '.' ? point : comma));
}

/**
 * The number that is written there.
 * @param {string} text
 * @param {string[]} marks
 */
function numberIn(text, [point, comma]) {
  return Number(text.replaceAll(comma, '').replace(point, '.'));
}

/** Values with such numbers as the language writes them. */
function counted(values, marks) {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, COUNTED.test(value) ? written(value, marks) : value]),
  );
}

function marked(tag, pieces) {
  const [only] = pieces;
  const plain = pieces.length < 2 && (only === undefined || typeof only === 'string');
  if (tag === 'var') return { var: only };
  if (MARKS.includes(tag)) return { [tag]: pieces };
  if (tag === 'late')
    return plain
      ? { text: only ?? '', late: true }
      : { ...(pieces.length === 1 ? only : { pieces }), late: true };
  return plain ? { text: only ?? '', role: tag } : { role: tag, pieces };
}

/**
 * Words in the shape of their table: a text stays a text, a message with {values} becomes a function of them, and one
 * with <roles> makes pieces instead of a text.
 */
export function wordsOf(table, say) {
  if (typeof table !== 'string') {
    if (Array.isArray(table)) return table.map((each) => wordsOf(each, say));
    return Object.fromEntries(Object.entries(table).map(([key, each]) => [key, wordsOf(each, say)]));
  }
  const takes = /(?<!\\)\{/.test(table);
  const tagged = /(?<!\\)<[a-z]+>/.test(table);
  let nodes;
  const read = (values) => say((nodes ??= parse(table)), values);
  if (takes)
    return tagged ? (values = {}) => read(values) : (values = {}) => read(values).map(textOf).join('');
  return tagged ? read({}) : table.replaceAll(/\\([{}<])/g, '$1');
}

/** A piece as text. */
export function textOf(piece) {
  if (typeof piece === 'string') return piece;
  return piece.text ?? piece.var ?? (piece.pieces ?? piece.sub ?? piece.long ?? []).map(textOf).join('');
}

/** A table with all that another one, of the same shape, says in its place. */
export function translated(english, other) {
  if (other === undefined || typeof english !== 'object' || Array.isArray(english)) return other ?? english;
  return Object.fromEntries(
    Object.entries(english).map(([key, value]) => [key, translated(value, other[key])]),
  );
}
