import { grouped } from '@bowline/core/domain/readable';
import { formatBps } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import { localChainId } from '../fork.ts';
import type { Contracts } from './contracts.ts';
import {
  describeLoan,
  listaLoan,
  loans,
  owner,
  plans,
  sale,
  saleLoan,
  secondBorrower,
  targetHealth,
  thirdBorrower,
  trigger,
} from './demo.ts';
import { wrap } from './screen.ts';

export interface Running {
  readonly webUrl: string;
  readonly agentUrl: string;
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly bundlerUrl: string;
  readonly contracts: Contracts;
  /** The agent's wallet, which operates the executor. */
  readonly wallet: Address;
  readonly blockSeconds: number;
  readonly executorSeconds: number;
  readonly guardSeconds: number;
  /** The language model that answers; if absent, rules do. */
  readonly model?: string | undefined;
  /** Price of an answer; if absent, answers are free. */
  readonly priceUsd?: string | undefined;
  /** Names of the settings taken from the shell or from .env. */
  readonly taken: readonly string[];
}

const labelColumns = 16;
const columns = 80;

/** The text to print for a person who has just started everything. */
export function welcome(running: Running): string {
  const { agentUrl, marketUrl, contracts, model, priceUsd, taken, ...paces } = running;
  const { port } = new URL(marketUrl);
  const scene = (words: string) => `npm run lab -- scene ${words}${port === '4030' ? '' : ` --port ${port}`}`;
  const post = (path: string, body: string) =>
    `curl -s ${agentUrl}${path} -H 'content-type: application/json' \\\n    -d '${body}'`;
  const isFree = priceUsd === undefined || Number(priceUsd) === 0;
  const a2a =
    '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1",\n' +
    '        "role":"ROLE_USER","parts":[{"text":"Is ETH fairly priced?"}]}}}';
  return `
Bowline is running on a local BNB Chain. Nothing here has any value. Ctrl-C stops it.

${table(running)}

${paragraph(
  `The demo runs fast: the agent checks plans every ${paces.executorSeconds} s instead of every 15 minutes, and loans at ` +
    `every block and every ${paces.guardSeconds} s instead of every 5 minutes. If a loan's health falls below ${trigger}, ` +
    `the agent repays it from the borrower's own balance until health is ${targetHealth}. The third borrower has none: below ${sale.trigger} some of its collateral is sold, at a cost of ` +
    `at most ${formatBps(BigInt(sale.maxCostBps))}.`,
)}

Try each API, in another terminal:
  ${post('/x402', '{"prompt": "Is BTCB fairly priced right now?"}')}
  ${post('/x402', '{"prompt": "Would guard 2 rescue its loan now?"}')}
${isFree ? '' : `    (an answer costs ${priceUsd} USD: this returns how to pay; an x402 client pays)\n`}  ${post('/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')}
  ${post('/a2a', a2a)}
  ${`npm run lab -- hire${hireOptions(running)}`.padEnd(44)}  buys a report, through the escrow
  curl -s '${agentUrl}/verdict?asset=BTCB&side=buy&amount_usd=1000'

Then change the market, and ask again:
  ${scene('pool-manipulated BTCB').padEnd(44)}  BTCB is NO_GO
  ${scene('calm').padEnd(44)}  and GO again
  ${scene('crash BTCB 15%').padEnd(44)}  guard 2 rescues its loan
  ${scene('stale-oracle ETH').padEnd(44)}  ETH is judged without Chainlink

${paragraph(
  'Within three minutes, the lines below show a run of plan 1, a deferral of plan 2 and, after a dip in the price of ETH, ' +
    'rescues by guards 1, 3 and collateral-1.',
)}
`;
}

function table({
  webUrl,
  agentUrl,
  rpcUrl,
  marketUrl,
  bundlerUrl,
  contracts,
  wallet,
  model,
  taken,
  blockSeconds,
}: Running): string {
  const [first, second] = loans;
  const rows: (readonly [string, string] | undefined)[] = [
    ['page', `${webUrl}  for a browser with a wallet`],
    ['agent', `${agentUrl}  /x402, /mcp, /a2a; /openapi.json lists the rest`],
    ['chain', `${rpcUrl}  chain id ${localChainId}, a block every ${blockSeconds} s`],
    ['exchange', `${marketUrl}  Binance's spot API, public calls; GET / lists them`],
    ['bundler', `${bundlerUrl}  submits what the agent's wallet signs (ERC-4337)`],
    [
      'answers',
      model === undefined ? 'come from rules; set OPENAI_API_KEY for a language model' : `come from ${model}`,
    ],
    [
      'settings',
      taken.length === 0
        ? 'the demo’s own; none taken from the shell'
        : `taken from the shell or .env: ${taken.join(', ')}`,
    ],
    undefined,
    ['Revocations', contracts.revocations],
    ['PlanRegistry', contracts.planRegistry],
    ['SwapExecutor', contracts.swapExecutor],
    ['LoanGuard', contracts.loanGuard],
    ...(contracts.collateralGuard === undefined ? [] : [['CollateralGuard', contracts.collateralGuard] as const]),
    ['VenusMarket', contracts.venusMarket],
    ...(contracts.moolahMarket === undefined ? [] : [['MoolahMarket', contracts.moolahMarket] as const]),
    ...(contracts.quoteDesk === undefined ? [] : [['QuoteDesk', contracts.quoteDesk] as const]),
    ['agent’s wallet', wallet],
    undefined,
    ['demo owner', owner],
    ...plans.map(
      ({ buys, amount, periodSeconds, remark }, index) =>
        [`  plan ${index + 1}`, `${grouped(amount)} USDT into ${buys} every ${periodSeconds} s${remark}`] as const,
    ),
    ['  guard 1', `on a Venus loan: ${first === undefined ? '' : describeLoan(first)}`],
    ...(contracts.moolahMarket === undefined
      ? []
      : [['  guard 3', `on a Lista loan: ${describeLoan(listaLoan)}`] as const]),
    ['second borrower', secondBorrower],
    ['  guard 2', `on a Venus loan: ${second === undefined ? '' : describeLoan(second)}`],
    ['third borrower', thirdBorrower],
    ['  guard', `collateral-1, on a Venus loan: ${describeLoan(saleLoan)}`],
  ];
  return rows.flatMap((row) => (row === undefined ? [''] : labelled(...row))).join('\n');
}

/** The options that `npm run lab -- hire` needs if ports differ from the defaults. */
function hireOptions({ agentUrl, rpcUrl }: Running): string {
  const [agent, rpc] = [new URL(agentUrl).port, new URL(rpcUrl).port];
  return `${agent === '4020' ? '' : ` --agent-port ${agent}`}${rpc === '8545' ? '' : ` --rpc-port ${rpc}`}`;
}

const paragraph = (text: string) => wrap(text, columns).join('\n');

/** A row of the table; longer text continues below. */
function labelled(label: string, text: string): string[] {
  // Keeps URLs whole; two spaces mark an intended break.
  const parts = text.split('  ');
  const lines =
    text.length <= columns - labelColumns - 2
      ? [text]
      : parts.flatMap((part) => wrap(part, columns - labelColumns - 2));
  return lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(labelColumns)}${line}`);
}
