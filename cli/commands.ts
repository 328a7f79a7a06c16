/** A command of `bowline`. */
export interface Described {
  /** Its name and its words, as commander has them. */
  readonly usage: string;
  readonly purpose: string;
  /** Meaning of each option, by its flags. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether options that are not listed belong to a program that it runs. */
  readonly passesOptionsOn?: boolean;
  /** Runs it on the words of the command line, from the third on. */
  readonly run: () => Promise<unknown>;
}

const rpc = { '--rpc <url>': "node; by default the agent's" };
const chain = { '--chain <name>': "chain; by default the agent's" };
const data = { '--data <folder>': "the agent's data folder" };
const deployments = { '--deployments <folder>': 'folder of the deployment records' };

/** What the archive and the container have, too. */
export const operatorCommands: readonly Described[] = [
  {
    usage: 'agent',
    purpose: 'run the agent, on the chain that the settings name',
    options: { '--dry-run': 'sign and send nothing', '--once': 'run one round of each loop' },
    run: () => import('../agent/src/main.ts'),
  },
  {
    usage: 'web',
    purpose: "run the page's server",
    options: {},
    run: () => import('../web/server/main.ts'),
  },
  {
    usage: 'check',
    purpose:
      'look at machine, node, contracts, price sources, clocks and a running agent: what is wrong, and what to do',
    options: {
      '--rpc <urls>': "nodes, separated by commas; by default the agent's",
      ...chain,
      ...deployments,
      '--exchange <url>': 'exchange, or off',
      '--pyth <url>': 'Pyth, or off',
      '--payers <addresses>': 'accounts that pay for gas, separated by commas',
      '--rpc-port <port>': 'port of the local chain',
      '--market-port <port>': 'port of the local market',
      '--bundler-port <port>': 'port of the local bundler',
      '--agent-port <port>': "the agent's port",
      '--web-port <port>': "the page's port",
    },
    run: () => import('./check.ts'),
  },
  {
    usage: 'audit',
    purpose: 'check the records of a plan, a guard, an owner or an executor against the signed terms',
    options: {
      '--plan <id>': 'number of a plan',
      '--guard <id>': 'number of a guard',
      '--owner <address>': 'all plans and guards of an owner',
      '--executor <address>': 'report card of who runs plans',
      '--evidence <document>': 'judge verdicts again: a document, its hash, a folder or an address of evidence',
      '--store <folder>': 'folder of evidence',
      ...rpc,
      '--deployment <file>': 'deployment record',
    },
    run: () => import('./audit.ts'),
  },
  {
    usage: 'replay [ticket]',
    purpose: 'judge a verdict again from its evidence: a file, - for standard input, or the hash of a document',
    options: {
      '--store <folder>': 'folder of evidence',
      '--rpc <url>': 'node on which the facts of the chain are read again; by default none',
      '--deployment <file>': 'deployment record whose ticket it should be',
    },
    run: () => import('./replay.ts'),
  },
  {
    usage: 'ledger',
    purpose: 'compare what the chain says that buyers have paid with the files of the agent',
    options: {
      '--agent <url>': 'agent that names payee and seller',
      '--payee <address>': 'who is paid for answers',
      '--seller <address>': 'who sells jobs',
      ...data,
      '--from <block>': 'first block of payments',
      '--jobs-from <block>': 'first block of jobs',
      ...rpc,
      ...deployments,
    },
    run: () => import('./ledger.ts'),
  },
  {
    usage: 'mission',
    purpose: 'check every promise of the service against a running agent and page, as a stranger',
    options: {
      ...chain,
      '--agent <url>': "the agent's address",
      '--web <url>': "the page's address",
      ...rpc,
      ...deployments,
      '--owner <address>': 'an owner to ask about',
      '--patience <seconds>': 'how long to wait for what takes time',
    },
    run: () => import('./mission.ts'),
  },
  {
    usage: 'rotate <key>',
    purpose: "put another key in the place of one of the agent's: operator, verdict or seller",
    options: {
      ...rpc,
      ...chain,
      ...deployments,
      '--account <kind>': 'wallet or key, for the operator',
      '--from <address>': 'present verdict signer',
      '--to <address>': 'next verdict signer',
      '--out <file>': 'where the transactions for plans are written',
      ...data,
      '--jobs <what>': 'deliver or abandon open jobs',
    },
    run: () => import('./rotate.ts'),
  },
  {
    usage: 'register',
    purpose: "put the agent into ERC-8004's registry",
    options: {
      '--agent <url>': 'public address of the agent',
      ...rpc,
      ...chain,
      ...deployments,
      ...data,
      '--id <number>': 'number of an agent that is registered already',
    },
    run: () => import('./register.ts'),
  },
  {
    usage: 'pool-memory [assets...]',
    purpose: "say how much of its price an asset's pool remembers, and buy what is missing",
    options: {
      ...rpc,
      ...chain,
      '--slots <number>': 'observations that the pool should remember',
      '--yes': 'buy what is missing',
    },
    run: () => import('./pool-memory.ts'),
  },
  {
    usage: 'backup [file]',
    purpose: 'write what the chain does not hold into one file',
    options: {},
    run: () => import('./backup.ts'),
  },
  {
    usage: 'restore [file]',
    purpose: 'put a backup back, without replacing anything',
    options: { '--sha256 <hash>': 'the hash that the backup printed' },
    run: () => import('./restore.ts'),
  },
];
