// Formats JSON over many lines, in its original order, for a person who compares two of them.

const maxColumns = 120;

/** From this many characters of JSON on, a value is written once. */
const largeChars = 4_000;

/** Where a value is written, and where each large one has been. */
export interface Place {
  readonly path: string;
  readonly written: Map<string, string>;
}

/**
 * Puts what fits on one line. A multi-line text gets a line for each of its own, a text that is JSON is laid out as such, and
 * a large value that was written elsewhere is only named.
 */
export function layout(value: unknown, place: Place, indent = ''): string {
  if (typeof value === 'string') return layoutText(value, place, indent);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const json = JSON.stringify(value);
  if (json.length >= largeChars) {
    const before = place.written.get(json);
    if (before !== undefined) return `<as ${before}>`;
    place.written.set(json, place.path);
  }
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const text = layout(each, { ...place, path: `${place.path}.${key}` }, inner);
    return isList ? text : `${JSON.stringify(key)}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const line = isList ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`;
  if (!line.includes('\n') && indent.length + line.length <= maxColumns) return line;
  return `${open}\n${entries.map((entry) => `${inner}${entry}`).join(',\n')}\n${indent}${close}`;
}

function layoutText(text: string, place: Place, indent: string): string {
  if (/^[{[]/.test(text)) {
    const parsed = parse(text);
    // Otherwise the layout would not show every character.
    if (parsed !== undefined && JSON.stringify(parsed) === text) return `JSON ${layout(parsed, place, indent)}`;
  }
  const lines = text.split(/(?<=\n)/);
  if (lines.length < 2) return JSON.stringify(text);
  return lines.map((line) => `\n${indent} ${JSON.stringify(line)}`).join('');
}

/** Undefined if it is not JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the answer of a program under test, of which nothing is known.
export function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
