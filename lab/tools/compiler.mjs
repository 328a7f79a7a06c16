// The Solidity compiler from npm, in half its time. Emscripten compiled it without WebAssembly's exceptions: each call that might
// throw leaves WebAssembly for JavaScript, which looks the function up in WebAssembly's table, and that lookup took half of the
// compiler's time. Here the table's functions are kept in an array.

/** @typedef {{ get(at: number): unknown, set(at: number, ...value: unknown[]): void }} Table */
/** Node's types do not name it. @type {Table} */
const table = /** @type {any} */ (globalThis).WebAssembly.Table.prototype;
const { get, set } = table;
/** @type {Table | undefined} */
let last;
/** Of the last table asked, which is the compiler's. @type {unknown[]} */
let functions = [];

table.get = function (at) {
  if (this !== last) {
    last = this;
    functions = [];
  }
  functions[at] ??= get.call(this, at);
  return functions[at];
};

table.set = function (at, ...value) {
  if (this === last) functions[at] = undefined;
  set.call(this, at, ...value);
};

export const { default: solc } = await import('solc');
