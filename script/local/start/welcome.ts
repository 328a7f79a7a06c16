import { localChainId } from '../fork.ts';
import type { Contracts } from './contracts.ts';
import { describeLoan, loans, owner, plans, targetHealth, trigger } from './demo.ts';
import { wrapped } from './screen.ts';

export interface Running {
  readonly agentUrl: string;
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly contracts: Contracts;
  readonly blockSeconds: number;
  readonly executorSeconds: number;
  /** The language model that answers; absent when rules do. */
  readonly model?: string;
}

const WIDTH = 80;
const LABEL = 16;

/** What somebody who has just started everything needs to know, to be printed. */
export function welcome({ agentUrl, rpcUrl, marketUrl, contracts, model, ...paces }: Running): string {
  const [first, second] = loans;
  const answers = model ?? 'rules; with OPENAI_API_KEY set, a language model does';
  const rows: (readonly [string, string] | undefined)[] = [
    ['agent', `${agentUrl}  POST /x402, MCP at /mcp`],
    ['answers by', answers],
    ['chain', `${rpcUrl}  chain id ${localChainId}, a block every ${paces.blockSeconds} s`],
    ['exchange', `${marketUrl}  Binance's spot API, public calls`],
    undefined,
    ['PlanRegistry', contracts.planRegistry],
    ['SwapExecutor', contracts.swapExecutor],
    ['LoanGuard', contracts.loanGuard],
    ['VenusMarket', contracts.venusMarket],
    undefined,
    ['demo owner', owner],
    ...plans.map(
      ({ buys, amount, periodSeconds }, index) =>
        [`  plan ${index + 1}`, `${thousands(amount)} USDT into ${buys} every ${periodSeconds} s`] as const,
    ),
    ['  guard 1', `its Venus loan: ${first === undefined ? '' : describeLoan(first)}`],
    ['borrower', second?.borrower ?? ''],
    ['  guard 2', `its Venus loan: ${second === undefined ? '' : describeLoan(second)}`],
  ];
  const table = rows.map((row) => (row === undefined ? '' : labelled(...row))).join('\n');
  const { port } = new URL(marketUrl);
  const scene = (words: string) => `npm run scene -- ${words}${port === '4030' ? '' : ` --port ${port}`}`.padEnd(42);
  const ask = (prompt: string) =>
    `curl -s ${agentUrl}/x402 -H 'content-type: application/json' \\\n    -d '{"prompt": "${prompt}"}'`;
  return `
Bowline runs on a local BNB Chain. Ctrl-C stops everything.

${table}

${paragraph(
  `Periods are a demo's: plans are looked at every ${paces.executorSeconds} s instead of every 15 minutes; loans at every ` +
    `block, as on BNB Chain. A loan is rescued when its health falls below ${trigger}, up to ${targetHealth}.`,
)}

${paragraph(
  'Within three minutes you see here a run of plan 1, a deferral of plan 2, which is too large for its pool, and, once ETH ' +
    'has dipped, a rescue by guard 1. Meanwhile, in another terminal:',
)}

  ${ask('Is BTCB fairly priced right now?')}
  ${scene('pool-manipulated BTCB')}then ask again: NO_GO
  ${scene('calm')}and again: GO
  ${ask('Would guard 2 rescue its loan now?')}
  ${scene('crash BTCB 15%')}a rescue by guard 2
  ${scene('stale-oracle ETH').trimEnd()}

${paragraph(
  'After a price has jumped, its asset is NO_GO for up to ten minutes: the mean of the pool over that time (TWAP) still ' +
    'tells of the price before.',
)}
`;
}

function labelled(label: string, said: string): string {
  const [first = '', ...more] = wrapped(said, WIDTH - 2 - LABEL);
  return [`  ${label.padEnd(LABEL)}${first}`, ...more.map((row) => ' '.repeat(2 + LABEL) + row)].join('\n');
}

const paragraph = (sentences: string): string => wrapped(sentences, WIDTH).join('\n');

const thousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');
