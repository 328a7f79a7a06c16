import { defineConfig } from '@wagmi/cli';
import { foundry } from '@wagmi/cli/plugins';

/** The project's own contracts that TypeScript talks to; `npm run abis` builds them, and writes their ABIs. */
const contracts = [
  'PlanRegistry',
  'SwapExecutor',
  'LoanGuard',
  'VenusMarket',
  'VenusPriceSource',
  'ChainlinkPriceSource',
  'QuoteDesk',
  'Revocations',
  'MarketLens',
  'PermissionsLens',
];

export default defineConfig({
  out: 'abis/generated.ts',
  plugins: [
    foundry({
      artifacts: '.cache/contracts/out',
      forge: { build: false },
      include: contracts.map((name) => `${name}.sol/${name}.json`),
    }),
  ],
});
