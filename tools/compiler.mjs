// The Solidity compiler from npm, in half its time. Emscripten compiled it without WebAssembly's exceptions: each call that might
// throw leaves WebAssembly for JavaScript, which looks the function up in WebAssembly's table, and that lookup took half of the
// compiler's time. Here the table's functions are kept in an array.

const { get, set } = WebAssembly.Table.prototype;
/** @type {WebAssembly.Table | undefined} */
let last;
/** Of the last table asked, which is the compiler's. @type {unknown[]} */
let functions = [];

WebAssembly.Table.prototype.get = function (at) {
  if (this !== last) {
    last = this;
    functions = [];
  }
  functions[at] ??= get.call(this, at);
  return functions[at];
};

WebAssembly.Table.prototype.set = function (at, ...value) {
  if (this === last) functions[at] = undefined;
  set.call(this, at, ...value);
};

export const { default: solc } = await import('solc');
