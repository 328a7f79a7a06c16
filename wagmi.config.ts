import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from '@wagmi/cli';
import { foundry } from '@wagmi/cli/plugins';

const artifacts = '.cache/contracts/out';

/** The project's own contracts that TypeScript talks to; `npm run abis` builds them, and writes their ABIs. */
const contracts = [
  'PlanRegistry',
  'SwapExecutor',
  'VenusMarket',
  'MoolahMarket',
  'VenusPriceSource',
  'ChainlinkPriceSource',
  'Revocations',
  'MarketLens',
  'RouteLens',
  'VenusLens',
  'PermissionsLens',
  'StatesLens',
  'ReadLens',
];

/** What every lending adapter answers, named without the interface's I. */
const lendingMarket: Plugin = {
  name: 'ILendingMarket',
  contracts: () => [
    {
      name: 'LendingMarket',
      abi: JSON.parse(readFileSync(`${artifacts}/ILendingMarket.sol/ILendingMarket.json`, 'utf8')).abi,
    },
  ],
};

const abisOf = (names: readonly string[]) =>
  foundry({ artifacts, forge: { build: false }, include: names.map((name) => `${name}.sol/${name}.json`) });

export default defineConfig([
  { out: 'abis/generated.ts', plugins: [lendingMarket, abisOf(contracts)] },
  // Files of their own: the page loads them only where it signs such guards, and on a chain with a desk.
  { out: 'abis/loan-guard.ts', plugins: [abisOf(['LoanGuard'])] },
  { out: 'abis/collateral.ts', plugins: [abisOf(['CollateralGuard', 'CollateralTerms', 'VenusCollateral'])] },
  { out: 'abis/quote-desk.ts', plugins: [abisOf(['QuoteDesk'])] },
]);
