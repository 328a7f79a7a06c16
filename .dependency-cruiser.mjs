// The import table of the architecture, one rule a row. A row names what a folder may import; files of one folder may
// import each other unless the row says otherwise. `npm run check` applies it (tools/check-imports.mjs).

const npm = '^node_modules/';
const shipped = '^(agent/src|web/(app|server))/';
const tests = '^((agent|web)/)?test/';

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/**
 * @param {string} name
 * @param {Rule['from']} from
 * @param {Rule['to']} to
 * @returns {Rule}
 */
const mustNot = (name, from, to) => ({ name, severity: 'error', from, to });

/**
 * @param {string} name
 * @param {string} folder as a regular expression
 * @param {string[]} allowed regular expressions of what the folder may import
 */
const mayImport = (name, folder, allowed) => mustNot(name, { path: folder }, { pathNot: allowed });

/** @type {{forbidden: Rule[], options: import('dependency-cruiser').ICruiseOptions}} */
export default {
  forbidden: [
    mayImport('domain-imports-nothing', '^agent/src/domain/', ['^agent/src/domain/']),
    mayImport('guard-imports-domain', '^agent/src/guard/', ['^agent/src/(guard|domain)/']),
    mayImport('plan-imports-domain', '^agent/src/loops/[^/]+/plan\\.ts$', ['^agent/src/domain/']),
    mayImport('tools-import-domain-guard-zod', '^agent/src/tools/', [
      '^agent/src/(tools|domain|guard)/',
      '^node_modules/zod/',
    ]),
    mayImport('seller-imports-domain-and-the-one-door', '^agent/src/seller/', [
      '^agent/src/(seller|domain)/',
      '^agent/src/tools/call\\.ts$',
    ]),
    mayImport('loops-import-domain-guard', '^agent/src/loops/(?!jobs/|[^/]+/plan\\.ts$)', [
      '^agent/src/(loops|domain|guard)/',
    ]),
    mayImport('jobs-import-domain-guard-seller', '^agent/src/loops/jobs/(?!plan\\.ts$)', [
      '^agent/src/(loops|domain|guard|seller)/',
    ]),
    // A face may use its protocol's SDK; the chain and the model are an adapter's.
    mayImport('faces-import-tools-seller-domain-sdk', '^agent/src/faces/', [
      '^agent/src/(faces|tools|seller|domain)/',
      '^node_modules/(?!(viem|openai)/)',
    ]),
    mustNot(
      'faces-do-not-import-each-other',
      { path: '^agent/src/faces/([^/.]+)' },
      { path: '^agent/src/faces/', pathNot: '^agent/src/faces/$1[/.]' },
    ),
    mustNot(
      'adapters-import-domain-abis',
      { path: '^agent/src/adapters/' },
      { pathNot: ['^agent/src/(adapters|domain)/', '^abis/', npm], dependencyTypesNot: ['core'] },
    ),
    mayImport('page-imports-abis-guard', '^web/app/', [
      '^web/(app/|(wire|sound-offer|read-market)\\.ts$)',
      '^abis/',
      '^agent/src/guard/',
      npm,
    ]),
    // It reads the same book and the same exchange as the agent, and says no in the same words.
    mustNot(
      'web-server-imports-abis-and-its-own',
      { path: '^web/server/' },
      {
        pathNot: [
          '^web/(server/|(wire|sound-offer|read-market)\\.ts$)',
          '^abis/',
          '^agent/src/domain/',
          '^agent/src/adapters/(address-book|market-data)\\.ts$',
          '^agent/src/faces/http/(problem|rate-limit|allowed-hosts)\\.ts$',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    mustNot('main-imported-by-nothing', {}, { path: '^agent/src/main\\.ts$' }),
    mustNot(
      'config-imported-by-main-alone',
      { pathNot: ['^agent/src/main\\.ts$', tests] },
      { path: '^agent/src/config\\.ts$' },
    ),
    mayImport('abis-import-nothing', '^abis/', ['^abis/']),
    // Whoever judges again does it by the guard itself, as the page may.
    mustNot(
      'replay-and-audit-import-domain-guard-abis',
      { path: '^script/(replay|audit)(/|\\.ts$)' },
      { pathNot: ['^(script|abis|tools)/', '^agent/src/(domain|guard)/', npm], dependencyTypesNot: ['core'] },
    ),
    mustNot(
      'scripts-import-abis-tools',
      { path: '^script/', pathNot: '^script/(replay|audit)(/|\\.ts$)' },
      { pathNot: ['^(script|abis|tools)/', npm], dependencyTypesNot: ['core'] },
    ),
    mustNot(
      'tools-of-the-build-stand-alone',
      { path: '^tools/' },
      { pathNot: ['^tools/', '^\\.dependency-cruiser\\.mjs$', npm], dependencyTypesNot: ['core'] },
    ),
    mustNot('shipped-code-without-scripts-and-tests', { path: shipped }, { path: ['^(script|tools|bench)/', tests] }),
    mustNot('shipped-code-without-dev-dependencies', { path: shipped }, { dependencyTypes: ['npm-dev'] }),
    mustNot('only-declared-packages', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
    mustNot('no-circular', {}, { circular: true }),
    mustNot('no-unresolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built.
    exclude: { path: '^web/dist/' },
    // Imports of types count: a type is knowledge of the other folder too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
