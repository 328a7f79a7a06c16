// Contracts' ABIs as TypeScript, which viem takes its types from. Printed as a formatter would, so that a change of a contract is a
// change of few lines here.

/**
 * @typedef {string | boolean | readonly Value[] | {readonly [key: string]: Value}} Value
 */

const LINE = 80;
/** Of the entries and parameters of an ABI, in the order in which they are printed. */
const KEYS = {
  entry: ['type', 'anonymous', 'inputs', 'name', 'outputs', 'stateMutability'],
  parameter: ['name', 'internalType', 'type', 'components', 'indexed'],
};

/**
 * @param {readonly {name: string, abi: any}[]} contracts
 * @returns {string}
 */
export function printed(contracts) {
  return contracts
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, abi }) => {
      const bar = '/'.repeat(166);
      const constant = `${name[0]?.toLowerCase()}${name.slice(1)}Abi`;
      const entries = abi.map((/** @type {any} */ entry) => ordered(entry, 'entry'));
      return `${bar}\n// ${name}\n${bar}\n\nexport const ${constant} = ${broken(entries, '')} as const\n`;
    })
    .join('\n');
}

/**
 * Throws on a key that it does not know: whatever that means would else be lost without a word.
 * @param {Record<string, any>} value
 * @param {keyof typeof KEYS} kind
 * @returns {Value}
 */
function ordered(value, kind) {
  const unknown = Object.keys(value).find((key) => !KEYS[kind].includes(key));
  if (unknown !== undefined)
    throw new Error(`An ABI has the key ${unknown}, which tools/abis/printed.mjs does not know`);
  const found = KEYS[kind].filter((key) => value[key] !== undefined);
  return Object.fromEntries(
    found.map((key) => [
      key,
      Array.isArray(value[key]) ? value[key].map((/** @type {any} */ each) => ordered(each, 'parameter')) : value[key],
    ]),
  );
}

/**
 * On one line if it fits there with what stands before it and a comma, else on several.
 * @param {Value} value
 * @param {string} indent of its line
 * @param {number} before it on its line
 * @returns {string}
 */
function print(value, indent, before) {
  const line = flat(value);
  return line !== undefined && before + line.length + 1 <= LINE ? line : broken(value, indent);
}

/**
 * Undefined for what is never on one line: a list of several objects.
 * @param {Value} value
 * @returns {string | undefined}
 */
function flat(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    if (value.length > 1) return undefined;
    const inside = value.map(flat);
    return inside.includes(undefined) ? undefined : `[${inside.join(', ')}]`;
  }
  const inside = Object.entries(value).map(([key, each]) => [key, flat(each)]);
  if (inside.some(([, each]) => each === undefined)) return undefined;
  return `{ ${inside.map(([key, each]) => `${key}: ${each}`).join(', ')} }`;
}

/**
 * @param {Value} value a list or an object
 * @param {string} indent
 */
function broken(value, indent) {
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((each) => print(each, inner, inner.length))
    : Object.entries(value).map(([key, each]) => `${key}: ${print(each, inner, inner.length + key.length + 2)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}
