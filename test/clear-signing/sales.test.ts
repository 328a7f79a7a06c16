import { encodeFunctionData, zeroAddress } from 'viem';
import { expect, it } from 'vitest';
import { collateralGuardAbi } from '../../abis/index.ts';
import { templates } from '../../cli/descriptors.ts';
import { venus } from '../../lab/world/addresses.ts';
import { alice, bob, guardTerms, linesOfCall, linesOfMessage, own } from './wallet.ts';

// CS-6 for a guard that sells collateral: everything it may do, in words.

const { market, adapter: _, ...shared } = guardTerms;
/** Digits only, so that its checksummed spelling has no capitals. */
const middle = `0x${'56'.repeat(20)}` as const;

const terms = {
  ...shared,
  adapter: own.venusCollateral,
  debtMarket: market,
  collateralMarket: `0x${'0'.repeat(24)}${venus.markets.vETH.slice(2).toLowerCase()}`,
  maxCostBps: 200,
  route: { firstFee: 2500, firstToken: middle, secondFee: 500, secondToken: zeroAddress, thirdFee: 0 },
} as const;

const termsLines = [
  'Max per rescue: 500 USDT',
  'Max per UTC day: 1500.5 USDT',
  'Min per rescue: 10 USDT',
  'Max cost of the amount repaid: 2 %',
  'Rescue below: 1.1 health',
  'Restore to (above 18: repay all): 1.25 health',
  `Loan of: ${alice}`,
  `Paid from collateral of: ${bob}`,
  `Market of the debt: ${market}`,
  `Market of the collateral sold: ${terms.collateralMarket}`,
  `Rescued by (0x0: anyone): ${zeroAddress}`,
  'Cooldown: 01:00:00',
  'Guard ends: Sat, 15 Jan 2028 08:00:00 GMT',
  `Second price source (0x0: none): ${own.chainlinkPriceSource}`,
  `Lending adapter: ${own.venusCollateral}`,
  'Fee of the first pool (0: any pools): 0.25 %',
  `First pool pays (0x0: repaid token): ${middle}`,
  'Fee of the second pool: 0.05 %',
  `Second pool pays (0x0: repaid token): ${zeroAddress}`,
  'Fee of the third pool: 0 %',
];

const consent = { terms, nonce: 5n, deadline: 1_800_003_600n, borrowerEpoch: 3n, funderEpoch: 4n };
const consentLines = [
  ...termsLines,
  'Can be used until: Fri, 15 Jan 2027 09:00:00 GMT',
  'Nonce: 5',
  'Epoch of borrower: 3',
  'Epoch of funder: 4',
];

it('CS-6: register and registerFunded', async () => {
  const register = encodeFunctionData({ abi: collateralGuardAbi, functionName: 'register', args: [terms] });
  expect(await linesOfCall(own.collateralGuard, register)).toEqual(['Guard a loan with its collateral', ...termsLines]);
  const args = [consent, '0x1234'] as const;
  const funded = encodeFunctionData({ abi: collateralGuardAbi, functionName: 'registerFunded', args });
  const lines = await linesOfCall(own.collateralGuard, funded);
  expect(lines).toEqual(['Guard a loan with a deposit of a funder', ...consentLines]);
});

it('CS-6: a consent', async () => {
  const { display } = templates()['eip712-CollateralGuard.json'] as unknown as { display: { formats: object } };
  const [key = ''] = Object.keys(display.formats);
  const types = Object.fromEntries(
    [...key.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', members = '']) => [
      name,
      members.split(',').map((member) => {
        const [type = '', called = ''] = member.split(' ');
        return { name: called, type };
      }),
    ]),
  );
  const domain = {
    name: 'Bowline CollateralGuard',
    version: '1',
    chainId: own.chainId,
    verifyingContract: own.collateralGuard,
  };
  const lines = await linesOfMessage({ domain, types, primaryType: 'Consent', message: consent });
  expect(lines).toEqual(['Pay for the rescues of a loan', ...consentLines]);
});
