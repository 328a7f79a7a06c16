import { localChainId } from '../fork.ts';
import type { Contracts } from './contracts.ts';
import { describeLoan, loans, owner, plans, secondBorrower, targetHealth, trigger } from './demo.ts';
import { wrap } from './screen.ts';

export interface Running {
  readonly agentUrl: string;
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly contracts: Contracts;
  readonly blockSeconds: number;
  readonly executorSeconds: number;
  readonly guardSeconds: number;
  /** The language model that answers; absent: rules do. */
  readonly model?: string | undefined;
  /** Names of the settings that were taken from the shell or from .env. */
  readonly taken: readonly string[];
}

const labelColumns = 16;
const columns = 80;

/** What somebody who has just started everything needs to know, to be printed. */
export function welcome({ agentUrl, rpcUrl, marketUrl, contracts, model, taken, ...paces }: Running): string {
  const [first, second] = loans;
  const rows: (readonly [string, string] | undefined)[] = [
    ['agent', `${agentUrl}  POST /x402, MCP at ${agentUrl}/mcp`],
    ['chain', `${rpcUrl}  chain id ${localChainId}, a block every ${paces.blockSeconds} s`],
    ['exchange', `${marketUrl}  Binance's spot API, public calls; GET / lists them`],
    [
      'answers',
      model === undefined ? 'come from rules; set OPENAI_API_KEY for a language model' : `come from ${model}`,
    ],
    [
      'settings',
      taken.length === 0
        ? 'a demo’s own; none are taken from the shell'
        : `taken from the shell or .env: ${taken.join(', ')}`,
    ],
    undefined,
    ['PlanRegistry', contracts.planRegistry],
    ['SwapExecutor', contracts.swapExecutor],
    ['LoanGuard', contracts.loanGuard],
    ['VenusMarket', contracts.venusMarket],
    undefined,
    ['demo owner', owner],
    ...plans.map(
      ({ buys, amount, periodSeconds, remark }, index) =>
        [`  plan ${index + 1}`, `${thousands(amount)} USDT into ${buys} every ${periodSeconds} s${remark}`] as const,
    ),
    ['  guard 1', `of a Venus loan: ${first === undefined ? '' : describeLoan(first)}`],
    ['second borrower', secondBorrower],
    ['  guard 2', `of a Venus loan: ${second === undefined ? '' : describeLoan(second)}`],
  ];
  const table = rows.flatMap((row) => (row === undefined ? [''] : labelled(...row))).join('\n');
  const { port } = new URL(marketUrl);
  const scene = (words: string) => `npm run scene -- ${words}${port === '4030' ? '' : ` --port ${port}`}`;
  const ask = (prompt: string) =>
    `curl -s ${agentUrl}/x402 -H 'content-type: application/json' \\\n    -d '{"prompt": "${prompt}"}'`;
  const paragraph = (text: string) => wrap(text, columns).join('\n');
  return `
Bowline runs on a local BNB Chain. Nothing here is worth anything. Ctrl-C stops it.

${table}

${paragraph(
  `Minutes are seconds here: plans are looked at every ${paces.executorSeconds} s instead of every 15 minutes, loans at every ` +
    `block and every ${paces.guardSeconds} s instead of every 5 minutes. A loan whose health falls below ${trigger} is ` +
    `repaid from its borrower's own balance until health is ${targetHealth}.`,
)}

Ask it something, in another terminal:
  ${ask('Is BTCB fairly priced right now?')}
  ${ask('Would guard 2 rescue its loan now?')}

Then change the market, and ask again:
  ${scene('pool-manipulated BTCB').padEnd(44)}  BTCB is NO_GO
  ${scene('calm').padEnd(44)}  and GO again
  ${scene('crash BTCB 15%').padEnd(44)}  guard 2 rescues its loan
  ${scene('stale-oracle ETH').padEnd(44)}  ETH is NO_GO

${paragraph(
  'Within three minutes you see below a run of plan 1, a deferral of plan 2 and, once the price of ETH has dipped, a rescue ' +
    'by guard 1.',
)}
`;
}

/** A row of the table; what does not fit stands below. */
function labelled(label: string, text: string): string[] {
  // Addresses of a program's own stay whole, and two spaces are a break that is meant.
  const parts = text.split('  ');
  const lines =
    text.length <= columns - labelColumns - 2
      ? [text]
      : parts.flatMap((part) => wrap(part, columns - labelColumns - 2));
  return lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(labelColumns)}${line}`);
}

const thousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');
