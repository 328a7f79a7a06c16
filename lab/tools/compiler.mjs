// Runs npm's Solidity compiler in half the time. Emscripten compiled it without WebAssembly exceptions, so each call that may
// throw goes through JavaScript, which looks the function up in WebAssembly's table. That lookup took half of the compiler's
// time. This file caches the table's functions in an array.

/** @typedef {{ get(at: number): unknown, set(at: number, ...value: unknown[]): void }} Table */
/** Missing from Node's types. @type {Table} */
const table = /** @type {any} */ (globalThis).WebAssembly.Table.prototype;
const { get, set } = table;
/** @type {Table | undefined} */
let last;
/** Of the table that was used last, which is the compiler's. @type {unknown[]} */
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
