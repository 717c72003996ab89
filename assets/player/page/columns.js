/**
 * columns.js: the compact JSON of a trace with the values of each field side by side, which gzip packs a
 * quarter smaller. The first line is the JSON without them, then one line a field. Any JSON on one line
 * comes back to the letter, and one without columns as it is. specviz/trace/standalone.py writes the same.
 * Pure.
 */

const VALUE = '"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*|null|true|false';
const FILLED = new RegExp(`"(\\w+)":(${VALUE})`, 'g');
const EMPTY = /"(\w+)":(?=[,}])/g;

export function toColumns(json) {
  const columns = new Map();
  const rest = json.replace(FILLED, (all, field, value) => {
    if (!columns.has(field)) columns.set(field, []);
    columns.get(field).push(value);
    return `"${field}":`;
  });
  return [rest, ...Array.from(columns, ([field, values]) => `${field}=${values.join(',')}`)].join('\n');
}

export function fromColumns(text) {
  const [rest, ...lines] = text.split('\n');
  const columns = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).matchAll(new RegExp(VALUE, 'g')),
    ]),
  );
  return rest.replace(EMPTY, (place, field) => place + (columns.get(field)?.next().value ?? ''));
}
