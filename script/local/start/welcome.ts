import { localChainId } from '../fork.ts';
import type { Contracts } from './contracts.ts';
import { describeLoan, loans, owner, plans, targetHealth, trigger } from './demo.ts';

export interface Running {
  readonly agentUrl: string;
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly contracts: Contracts;
  readonly blockSeconds: number;
  readonly executorSeconds: number;
  readonly guardSeconds: number;
}

/** What somebody who has just started everything needs to know, to be printed. */
export function welcome({ agentUrl, rpcUrl, marketUrl, contracts, ...paces }: Running): string {
  const [first, second] = loans;
  const rows: (readonly [string, string] | undefined)[] = [
    ['agent', `${agentUrl}  POST /x402, MCP at ${agentUrl}/mcp`],
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
    ['  policy 1', `its Venus loan: ${first === undefined ? '' : describeLoan(first)}`],
    ['borrower', second?.borrower ?? ''],
    ['  policy 2', `its Venus loan: ${second === undefined ? '' : describeLoan(second)}`],
  ];
  const table = rows.map((row) => (row === undefined ? '' : `  ${row[0].padEnd(14)}${row[1]}`)).join('\n');
  const { port } = new URL(marketUrl);
  const scene = (words: string) => `npm run scene -- ${words}${port === '4030' ? '' : ` --port ${port}`}`.padEnd(40);
  const ask = (prompt: string) =>
    `curl -s ${agentUrl}/x402 -H 'content-type: application/json' -d '{"prompt": "${prompt}"}'`;
  return `
Bowline runs on a local BNB Chain. Ctrl-C stops everything.

${table}

Periods are a demo's: plans are looked at every ${paces.executorSeconds} s instead of 15 minutes, loans every ${paces.guardSeconds} s instead of 5 minutes.
Loans are rescued when their health falls below ${trigger}, up to ${targetHealth}.

Within three minutes you see here a run of plan 1, a deferral of plan 2, which is too large for its pool, and, once ETH has
dipped, a rescue under policy 1. Meanwhile, in another terminal:

  ${ask('Is BTCB fairly priced right now?')}
  ${scene('pool-manipulated BTCB')}  then ask again: NO_GO
  ${scene('calm')}  and again: GO
  ${ask('Would guard 2 rescue its loan now?')}
  ${scene('crash BTCB 15%')}  a rescue under policy 2
  ${scene('stale-oracle ETH').trimEnd()}
`;
}

const thousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');
