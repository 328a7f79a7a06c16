// The import table of the architecture, one rule a row. A row names what a folder may import; files of one folder may
// import each other unless the row says otherwise. `npm run check` applies it (lab/tools/check-imports.mjs).

const npm = '^node_modules/';
const shipped = ['^agent/src/', '^packages/[^/]+/(?!test/)', '^web/(app|server)/'];
const tests = ['^test/', '^(agent|web)/test/', '^packages/[^/]+/test/'];

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
    mayImport('core-imports-zod-alone', '^packages/core/(audit/|pyth/|replay/|registry/|texts/|[^/]+\\.ts$)', [
      '^packages/core/(?!test/)',
      '^node_modules/zod/',
    ]),
    mayImport('domain-imports-nothing', '^packages/core/domain/', ['^packages/core/domain/']),
    mayImport('verdict-imports-domain', '^packages/core/verdict/', ['^packages/core/(verdict|domain)/']),
    mustNot(
      'shared-rooms-import-core',
      { path: '^packages/(http|exchange)/(?!test/)' },
      { pathNot: ['^packages/(core|http|exchange)/', npm], dependencyTypesNot: ['core'] },
    ),
    // It is installed by others, with no code of the agent in it.
    mayImport('sdk-imports-core-chain-abis', '^packages/sdk/(?!test/)', [
      '^packages/(sdk|chain|core)/',
      '^abis/',
      '^node_modules/(@x402/(core|evm)|viem|zod)/',
    ]),
    mustNot(
      'examples-import-sdk',
      { path: '^examples/' },
      {
        pathNot: ['^examples/', '^packages/sdk/(index|abi|drafts|ticket|replay|pay)\\.ts$', npm],
        dependencyTypesNot: ['core'],
      },
    ),
    mayImport('plan-imports-domain', '^agent/src/loops/[^/]+/plan\\.ts$', ['^packages/core/domain/']),
    // Both gather what a verdict is made from; from where is for compose to say.
    mayImport('tools-import-core-zod', '^agent/src/tools/', [
      '^agent/src/tools/',
      '^agent/src/sources/(propose|judge-run)\\.ts$',
      // An address is checked by a hash.
      '^packages/http/addresses\\.ts$',
      // Types, and what takes readers as parameters.
      '^packages/chain/(readers|plans-of-owner|plan-outlook|deferred-today)\\.ts$',
      '^packages/core/',
      '^node_modules/zod/',
    ]),
    mayImport('loops-import-core', '^agent/src/loops/(?!jobs/|[^/]+/plan\\.ts$)', [
      '^agent/src/loops/',
      '^agent/src/sources/(propose|judge-run)\\.ts$',
      '^packages/chain/(readers|plans-of-owner|deferred-today)\\.ts$',
      '^packages/core/',
      '^node_modules/p-limit/',
    ]),
    mayImport('jobs-import-core-selling', '^agent/src/loops/jobs/(?!plan\\.ts$)', [
      '^agent/src/(loops|selling/jobs)/',
      '^packages/core/',
    ]),
    mustNot(
      'selling-jobs-import-core-tools',
      { path: '^agent/src/selling/jobs/' },
      {
        pathNot: [
          '^agent/src/(selling/jobs|tools)/',
          '^agent/src/process/whole-file\\.ts$',
          '^packages/http/addresses\\.ts$',
          '^packages/core/',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    // Types of all of them: a tool's answer is typed once, where it is written.
    mustNot(
      'selling-jobs-call-tools-by-the-one-door',
      { path: '^agent/src/selling/jobs/' },
      {
        path: '^agent/src/tools/',
        pathNot: '^agent/src/tools/(call|read-input)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    mayImport('ask-imports-core-tools-model', '^agent/src/ask/', [
      '^agent/src/(ask|tools)/',
      '^packages/http/addresses\\.ts$',
      '^packages/core/',
      '^node_modules/(openai|zod)/',
    ]),
    mustNot(
      'payments-import-core-chain-http',
      { path: '^agent/src/selling/payments/' },
      {
        pathNot: [
          '^agent/src/selling/payments/',
          '^agent/src/process/(data-places|whole-file|hashing)\\.ts$',
          '^packages/',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    // A transport may use its protocol's SDK; the chain and the model are for others.
    mayImport('api-imports-what-it-translates', '^agent/src/api/', [
      '^agent/src/(api|ask|tools|selling|notify)/',
      '^packages/(core|exchange|http|sdk)/',
      '^node_modules/(?!(viem|openai)/)',
    ]),
    mustNot(
      'transports-do-not-import-each-other',
      { path: '^agent/src/api/([^/.]+)' },
      { path: '^agent/src/api/', pathNot: '^agent/src/api/$1[/.]' },
    ),
    mustNot(
      'sources-and-process-import-core',
      { path: '^agent/src/(sources|process)/' },
      {
        pathNot: ['^agent/src/(sources|process)/', '^packages/(core|exchange)/', '^packages/chain/readers\\.ts$', npm],
        dependencyTypesNot: ['core'],
      },
    ),
    mustNot(
      'workers-import-core-redis',
      { path: '^agent/src/workers/' },
      {
        pathNot: ['^agent/src/workers/', '^packages/core/', '^node_modules/(ioredis|zod)/'],
        dependencyTypesNot: ['core'],
      },
    ),
    // Without other workers there is no Redis, and none of its code: only import() may reach it.
    mustNot(
      'redis-is-loaded-when-it-is-used',
      { path: shipped, pathNot: '^agent/src/workers/' },
      {
        path: ['^agent/src/workers/', '^node_modules/ioredis/'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    // Most agents sell no work: only import() may reach what does.
    mustNot(
      'escrow-is-loaded-where-work-is-sold',
      { path: '^agent/src/', pathNot: '^agent/src/compose/seller\\.ts$' },
      {
        path: '^(packages/chain/(escrow|job-reader)|agent/src/compose/seller)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    // It tells what others have done: nothing depends on it but the API that takes registrations.
    mustNot(
      'notify-imports-core-process',
      { path: '^agent/src/notify/' },
      {
        pathNot: [
          '^agent/src/(notify|process)/',
          '^packages/core/',
          '^packages/chain/(readers|plans-of-owner|deferred-today)\\.ts$',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    // Agent, page, SDK and command line read the chain through it, so it runs in Node and in a browser.
    mayImport('chain-imports-core-abis-viem', '^packages/chain/(?!test/)', [
      '^packages/(chain|core)/',
      '^abis/',
      '^node_modules/(p-limit|viem)/',
    ]),
    mustNot(
      'sending-imports-chain-core-abis',
      { path: '^agent/src/sending/' },
      { pathNot: ['^agent/src/sending/', '^packages/(chain|core)/', '^abis/', npm], dependencyTypesNot: ['core'] },
    ),
    // Time comes in as a parameter, so that a test can run it all in virtual time. biome.json forbids the globals.
    mustNot(
      'time-comes-in-as-a-parameter',
      { path: '^agent/src/(loops|sending|workers)/' },
      { path: '^(node:)?timers' },
    ),
    mayImport('page-imports-core-chain-abis', '^web/app/', [
      '^web/(app/|(wire|validate-offer|read-market)\\.ts$)',
      '^abis/',
      '^packages/(chain|core)/',
      npm,
    ]),
    // What two sections need stands in api/, chain/, parts/, wallet/ or words/.
    mustNot(
      'page-features-do-not-import-each-other',
      { path: '^web/app/(ask|audit|buy|guard|home|plans|portfolio|stop)/' },
      { path: '^web/app/(ask|audit|buy|guard|home|plans|portfolio|stop)/', pathNot: '^web/app/$1/' },
    ),
    mustNot(
      'page-server-imports-core-http-abis',
      { path: '^web/(server/|[^/]+\\.ts$)', pathNot: '^web/vite\\.config\\.ts$' },
      {
        pathNot: ['^web/(server/|(wire|validate-offer|read-market)\\.ts$)', '^abis/', '^packages/', npm],
        dependencyTypesNot: ['core'],
      },
    ),
    mustNot('main-imported-by-bowline-alone', { pathNot: '^cli/main\\.ts$' }, { path: '^agent/src/main\\.ts$' }),
    mustNot(
      'compose-imported-by-main-alone',
      { pathNot: ['^agent/src/main\\.ts$', '^agent/src/compose/', '^cli/(check|fund)'] },
      { path: '^agent/src/compose/' },
    ),
    mustNot(
      'config-imported-by-compose-alone',
      { pathNot: ['^agent/src/main\\.ts$', '^agent/src/compose/', '^cli/(check|fund)', ...tests] },
      { path: '^agent/src/config\\.ts$' },
    ),
    // The pages about settings are made from their declarations (npm run lab -- settings).
    mustNot(
      'settings-imported-by-config-and-their-pages',
      {
        pathNot: [
          '^agent/src/config\\.ts$',
          '^lab/tools/settings/',
          '^cli/(host|sending/(bounds|keys))\\.ts$',
          ...tests,
        ],
      },
      { path: '^agent/src/settings\\.ts$' },
    ),
    mustNot(
      'settings-pages-import-settings',
      { path: '^lab/tools/settings/' },
      {
        pathNot: ['^(lab/tools/settings|packages/http)/', '^(agent/src|web/server)/settings\\.ts$', npm],
        dependencyTypesNot: ['core'],
      },
    ),
    mayImport('abis-import-nothing', '^abis/', ['^abis/']),
    mustNot(
      'cli-imports-core-abis-chain',
      { path: '^cli/', pathNot: '^cli/(main|check|check/\\w+|fund|host|sending/(bounds|keys)|deploy)\\.ts$' },
      {
        // Commands find the agent's files where it keeps them, and the ledger reads them as it does. A rotation signs as
        // the agent does. The ledger judges jobs as the seller does. A deployment runs forge, and so the tool that finds it. What the host's
        // settings name is read by the agent's own, and its accounts are funded.
        pathNot: [
          '^(cli|abis|script/compiled)/',
          '^packages/(core|http)/',
          '^packages/chain/',
          '^agent/src/process/(data-places|evidence-store)\\.ts$',
          '^agent/src/selling/jobs/(check-job|jobs|offers)\\.ts$',
          '^agent/src/selling/payments/records\\.ts$',
          '^agent/src/sending/(remote-signer|wallet/(account|entry-point))\\.ts$',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    // The check is the agent's start, which proves instead of acting.
    mustNot(
      'cli-check-imports-the-start',
      { path: '^cli/check' },
      {
        pathNot: [
          '^(cli|abis|script/compiled)/',
          '^packages/(core|http|chain)/',
          '^agent/src/(config|ask/language-model|(compose|process|sending|sources|notify|workers)/[\\w-]+)\\.ts$',
          npm,
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    mustNot(
      'cli-without-lab-and-tests',
      { path: '^cli/', pathNot: '^cli/deploy\\.ts$' },
      { path: ['^lab/', ...tests] },
    ),
    mustNot(
      'tools-of-the-build-stand-alone',
      { path: '^lab/tools/(?!settings)' },
      {
        pathNot: ['^lab/tools/', '^\\.dependency-cruiser\\.mjs$', '^packages/core/verdict/checks/index\\.ts$', npm],
        dependencyTypesNot: ['core'],
      },
    ),
    mustNot('shipped-code-without-lab-and-tests', { path: shipped }, { path: ['^(cli|lab|script)/', ...tests] }),
    mustNot('shipped-code-without-dev-dependencies', { path: shipped }, { dependencyTypes: ['npm-dev'] }),
    // A package's tests are the repository's.
    mustNot(
      'only-declared-packages',
      { pathNot: '^packages/[^/]+/test/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    mustNot('no-circular', {}, { circular: true }),
    mustNot('no-unresolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built.
    exclude: { path: '^(web|packages/sdk)/dist/' },
    // Imports of types count: a type is knowledge of the other folder too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
