import { verdictTypes } from '@bowline/core/domain/ticket';
import {
  type Abi,
  type Address,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  maxUint128,
  maxUint256,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { loanGuardAbi, planRegistryAbi, quoteDeskAbi, revocationsAbi, swapExecutorAbi } from '../../abis/index.ts';
import { templates } from '../../cli/descriptors.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import {
  alice,
  bob,
  guardTerms,
  linesOfCall,
  linesOfMessage,
  own,
  planTerms,
  sixDecimals,
  type TypedMessage,
} from './wallet.ts';

// CS-6: what a wallet shows for real calldata and messages.

const planLines = [
  'Paid per run: 100 USDT',
  'Token paid: USDT',
  'Token bought: BTCB',
  `Bought tokens go to: ${alice}`,
  `Paid by: ${alice}`,
  'One run every: 168:00:00',
  'Run within: 01:30:00',
  'Max number of runs: 52',
  'First run from: Fri, 15 Jan 2027 08:00:00 GMT',
  'Plan ends: Sat, 15 Jan 2028 08:00:00 GMT',
  'Max below price source: 0.5 %',
  'Max price of 10^18 base units (0: no max): 60000 USDT',
  'Allows any price: false',
  'Only from price of 10^18 base units (0: any): 59000 USDT',
  `Price source (0x0: none): ${own.chainlinkPriceSource}`,
  `Run by contract: ${own.swapExecutor}`,
  `Verdict signer (0x0: none): ${bob}`,
];

const guardLines = [
  'Max per rescue: 500 USDT',
  'Max per UTC day: 1500.5 USDT',
  'Min per rescue: 10 USDT',
  'Rescue below: 1.1 health',
  'Restore to: 1.25 health',
  `Loan of: ${alice}`,
  `Repaid by: ${bob}`,
  `Market: ${guardTerms.market}`,
  `Rescued by (0x0: anyone): ${zeroAddress}`,
  'Cooldown: 01:00:00',
  'Guard ends: Sat, 15 Jan 2028 08:00:00 GMT',
  `Second price source (0x0: none): ${own.chainlinkPriceSource}`,
  `Lending adapter: ${own.venusMarket}`,
];

const signature = '0x1234';
const deadline = 1_800_003_600n;
const creation = { owner: alice, plans: [planTerms], nonce: 5n, deadline, epoch: 3n };
const consent = { terms: guardTerms, nonce: 5n, deadline, borrowerEpoch: 3n, funderEpoch: 4n };
const quote = {
  buyer: alice,
  tokenIn: tokens.USDT,
  amountIn: parseEther('120.5'),
  tokenOut: tokens.BTCB,
  amountOut: parseEther('2'),
  nonce: 5n,
  expiresAt: deadline,
};

const calls =
  <const abi extends Abi>(to: Address, abi: abi) =>
  (call: Omit<EncodeFunctionDataParameters<abi>, 'abi'>) =>
    linesOfCall(to, encodeFunctionData({ abi, ...call } as EncodeFunctionDataParameters));
const plans = calls(own.planRegistry, planRegistryAbi);
const guards = calls(own.loanGuard, loanGuardAbi);
const desk = calls(own.quoteDesk, quoteDeskAbi);
const executor = calls(own.swapExecutor, swapExecutorAbi);

/** A message for one of our contracts, with the types that the descriptor's key spells. */
function typed(
  contract: 'PlanRegistry' | 'LoanGuard' | 'QuoteDesk',
  primaryType: string,
  message: object,
): TypedMessage {
  const { display } = templates()[`eip712-${contract}.json`] as unknown as { display: { formats: object } };
  const key = Object.keys(display.formats).find((each) => each.startsWith(`${primaryType}(`)) as string;
  const types = Object.fromEntries(
    [...key.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name, members]) => [
      name as string,
      (members as string).split(',').map((member) => {
        const [type = '', called = ''] = member.split(' ');
        return { name: called, type };
      }),
    ]),
  );
  const verifyingContract = { PlanRegistry: own.planRegistry, LoanGuard: own.loanGuard, QuoteDesk: own.quoteDesk }[
    contract
  ];
  const domain = { name: `Bowline ${contract}`, version: '1', chainId: own.chainId, verifyingContract };
  return { domain, types, primaryType, message };
}

describe('CS-6: what an owner calls', () => {
  it('create', async () => {
    expect(await plans({ functionName: 'create', args: [planTerms] })).toEqual(['Create a plan', ...planLines]);
  });

  it('createBySignature', async () => {
    expect(await plans({ functionName: 'createBySignature', args: [creation, signature] })).toEqual([
      'Submit signed plans',
      ...planLines,
      `Signed by owner: ${alice}`,
      'Can be submitted until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
      'Epoch: 3',
    ]);
  });

  it('edit', async () => {
    expect(await plans({ functionName: 'edit', args: [7n, 2n, 3n, planTerms] })).toEqual([
      'Replace the terms of a plan',
      'Plan: 7',
      ...planLines,
      'Replaces version: 2',
      'Runs so far: 3',
    ]);
  });

  it('pause, resume, cancel and cancelNonce, each in a sentence', async () => {
    const first = async (lines: Promise<string[] | undefined>) => (await lines)?.[0];
    expect(await first(plans({ functionName: 'pause', args: [7n] }))).toBe('Pause plan 7');
    expect(await first(plans({ functionName: 'resume', args: [7n, 2n, 3n] }))).toBe(
      'Resume plan 7 with version 2 of its terms, after 3 runs',
    );
    expect(await first(plans({ functionName: 'cancel', args: [7n] }))).toBe('Cancel plan 7 for good');
    expect(await first(plans({ functionName: 'cancelNonce', args: [5n] }))).toBe(
      'Cancel the signed creation of plans with nonce 5',
    );
    expect(await first(guards({ functionName: 'cancel', args: [9n] }))).toBe('Cancel guard 9 for good');
    expect(await first(guards({ functionName: 'cancelNonce', args: [5n] }))).toBe(
      'Cancel the signed consent with nonce 5',
    );
    expect(await first(guards({ functionName: 'rescue', args: [9n] }))).toBe('Rescue the loan of guard 9');
    expect(await first(desk({ functionName: 'cancel', args: [5n] }))).toBe('Cancel the quote with nonce 5');
  });

  it('register and registerFunded', async () => {
    expect(await guards({ functionName: 'register', args: [guardTerms] })).toEqual(['Guard a loan', ...guardLines]);
    expect(await guards({ functionName: 'registerFunded', args: [consent, signature] })).toEqual([
      'Guard a loan with tokens of a funder',
      ...guardLines,
      'Can be used until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
      'Epoch of borrower: 3',
      'Epoch of funder: 4',
    ]);
  });

  it('revokeAll', async () => {
    const data = encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' });
    expect(await linesOfCall(own.revocations, data)).toEqual([
      'End all your plans, guards and unused signatures for good',
    ]);
  });

  it('proposeOperator, which a rotator signs with a hardware wallet, and acceptOperator', async () => {
    expect(await executor({ functionName: 'proposeOperator', args: [bob] })).toEqual([
      `Name ${bob} as the next operator`,
      `Next operator (0x0: none): ${bob}`,
    ]);
    expect(await executor({ functionName: 'acceptOperator' })).toEqual(['Become the operator']);
  });

  it('redeem and withdraw at the desk', async () => {
    expect(await desk({ functionName: 'redeem', args: [quote, signature] })).toEqual([
      'Redeem a quote',
      'Pay: 120.5 USDT',
      'Token paid: USDT',
      'Receive: 2 BTCB',
      'Token received: BTCB',
      `Buyer: ${alice}`,
      'Valid until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
    ]);
    expect(await desk({ functionName: 'withdraw', args: [tokens.USDT, bob, parseEther('3')] })).toEqual([
      'Withdraw inventory of the desk',
      'Withdraw: 3 USDT',
      'Token: USDT',
      `To: ${bob}`,
    ]);
  });
});

describe('CS-6: what is signed', () => {
  it('Creation, of two plans', async () => {
    const second = { ...planTerms, tokenOut: tokens.ETH, amountPerRun: parseEther('0.5'), limitPriceWad: 0n };
    const message = typed('PlanRegistry', 'Creation', { ...creation, plans: [planTerms, second] });
    const renamed = new Map([
      ['Paid per run: 100 USDT', 'Paid per run: 0.5 USDT'],
      ['Token bought: BTCB', 'Token bought: ETH'],
      ['Max price of 10^18 base units (0: no max): 60000 USDT', 'Max price of 10^18 base units (0: no max): 0 USDT'],
    ]);
    expect(await linesOfMessage(message)).toEqual([
      'Create plans',
      ...planLines,
      // The library numbers repeated labels.
      ...planLines.map((line) => (renamed.get(line) ?? line).replace(/(: )(?!none|no max|any)/, ' 2$1')),
      `Signed by owner: ${alice}`,
      'Can be submitted until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
      'Epoch: 3',
    ]);
  });

  it('Consent', async () => {
    expect(await linesOfMessage(typed('LoanGuard', 'Consent', consent))).toEqual([
      'Pay for the rescues of a loan',
      ...guardLines,
      'Can be used until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
      'Epoch of borrower: 3',
      'Epoch of funder: 4',
    ]);
  });

  it('Verdict, as the agent signs it', async () => {
    const message = {
      tokenIn: tokens.USDT,
      tokenOut: tokens.BTCB,
      verdict: 3,
      maxPriceWad: parseEther('60600'),
      maxAmountIn: parseEther('1000'),
      issuedAt: 1_800_000_000n,
      expiresAt: 1_800_000_900n,
      evidenceHash: word(14),
    };
    const verdict = { ...typed('PlanRegistry', 'Verdict', message), types: verdictTypes };
    expect(await linesOfMessage(verdict)).toEqual([
      'Sign a verdict on a trade',
      'Verdict: GO',
      'Token paid: USDT',
      'Token bought: BTCB',
      'Max paid by one run: 1000 USDT',
      'Max price of 10^18 base units (0: none named): 60600 USDT',
      'Judged at: Fri, 15 Jan 2027 08:00:00 GMT',
      'Valid until: Fri, 15 Jan 2027 08:15:00 GMT',
      `Evidence hash: ${word(14)}`,
    ]);
  });

  it('Quote', async () => {
    expect(await linesOfMessage(typed('QuoteDesk', 'Quote', quote))).toEqual([
      'Quote a price',
      'Buyer pays: 120.5 USDT',
      'Token paid: USDT',
      'Buyer receives: 2 BTCB',
      'Token received: BTCB',
      `Buyer: ${alice}`,
      'Valid until: Fri, 15 Jan 2027 09:00:00 GMT',
      'Nonce: 5',
    ]);
  });
});

describe('CS-6: extreme values', () => {
  it('a plan of the largest numbers, without price source and verdict signer', async () => {
    const extreme = {
      ...planTerms,
      verdictSigner: zeroAddress,
      amountPerRun: 2n ** 104n - 1n,
      periodSeconds: 2 ** 32 - 1,
      maxRuns: 2 ** 32 - 1,
      expiresAt: 2 ** 40 - 1,
      priceSource: zeroAddress,
      limitPriceWad: maxUint128,
      maxSlippageBps: 0,
      farLimit: true,
      triggerPriceWad: 0n,
    };
    const lines = await plans({ functionName: 'create', args: [extreme] });
    expect(lines).toEqual(
      expect.arrayContaining([
        'Paid per run: 20282409603651.670423947251286015 USDT',
        'One run every: 1193046:28:15',
        'Max number of runs: 4294967295',
        'Plan ends: Mon, 20 Feb 36812 00:36:15 GMT',
        'Max below price source: 0 %',
        'Max price of 10^18 base units (0: no max): 340282366920938463463.374607431768211455 USDT',
        'Allows any price: true',
        'Only from price of 10^18 base units (0: any): 0 USDT',
        `Price source (0x0: none): ${zeroAddress}`,
        `Verdict signer (0x0: none): ${zeroAddress}`,
      ]),
    );
    expect(lines).toHaveLength(planLines.length + 1);
  });

  it('the widest slippage and the smallest', async () => {
    const slippage = async (maxSlippageBps: number) =>
      (await plans({ functionName: 'create', args: [{ ...planTerms, maxSlippageBps }] }))?.find((line) =>
        line.startsWith('Max below'),
      );
    expect(await slippage(1_000)).toBe('Max below price source: 10 %');
    expect(await slippage(1)).toBe('Max below price source: 0.01 %');
  });

  it('a guard without limits', async () => {
    const extreme = {
      ...guardTerms,
      keeper: bob,
      priceSource: zeroAddress,
      triggerHealthWad: parseEther('1'),
      targetHealthWad: 10n * parseEther('1'),
      capPerRescue: maxUint128,
      capPerDay: maxUint128 - 1n,
      minRepay: 1n,
      cooldownSeconds: 0,
    };
    expect(await guards({ functionName: 'register', args: [extreme] })).toEqual(
      expect.arrayContaining([
        'Max per rescue: Unlimited USDT',
        'Max per UTC day: 340282366920938463463.374607431768211454 USDT',
        'Min per rescue: 0.000000000000000001 USDT',
        'Rescue below: 1 health',
        'Restore to: 10 health',
        `Rescued by (0x0: anyone): ${bob}`,
        'Cooldown: 00:00:00',
        `Second price source (0x0: none): ${zeroAddress}`,
      ]),
    );
  });

  it('a token with 6 decimals', async () => {
    const six = {
      ...planTerms,
      tokenIn: sixDecimals,
      amountPerRun: parseUnits('250', 6),
      limitPriceWad: 61_000_500_000n,
    };
    const args = [{ ...creation, plans: [six] }, signature] as const;
    expect(await plans({ functionName: 'createBySignature', args })).toEqual(
      expect.arrayContaining(['Paid per run: 250 SIX', 'Max price of 10^18 base units (0: no max): 61000.5 SIX']),
    );
  });

  it('a deadline that no calendar has is not shown as a date', async () => {
    const lines = await linesOfMessage(typed('PlanRegistry', 'Creation', { ...creation, deadline: maxUint256 }));
    expect(lines).toContain('Can be submitted until: Invalid Date');
  });
});

describe('CS-6: a token that the wallet does not know', () => {
  const fake = '0x00000000000000000000000000000000000bad55';
  const base = '100000000000000000000';

  it('is shown by its address, and its amounts without a name', async () => {
    const lines = await plans({ functionName: 'create', args: [{ ...planTerms, tokenIn: fake }] });
    expect(lines).toEqual(expect.arrayContaining([`Paid per run: ${base} ???`, `Token paid: ${fake}`]));
    expect(lines?.join('\n')).not.toContain('USDT');
  });

  it('does not take its name from another token of the same call', async () => {
    const lines = await linesOfMessage(
      typed('PlanRegistry', 'Creation', { ...creation, plans: [planTerms, { ...planTerms, tokenIn: fake }] }),
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        'Paid per run: 100 USDT',
        'Token paid: USDT',
        `Paid per run 2: ${base} ???`,
        `Token paid 2: ${fake}`,
      ]),
    );
    const bought = await linesOfMessage(typed('QuoteDesk', 'Quote', { ...quote, tokenOut: fake }));
    expect(bought).toEqual(expect.arrayContaining(['Buyer pays: 120.5 USDT', `Token received: ${fake}`]));
    expect(bought).toContain('Buyer receives: 2000000000000000000 ???');
  });

  it("shows a guard's amounts in the token of its own market", async () => {
    const market: Hex = `0x${'0'.repeat(24)}${venus.markets.vBNB.slice(2).toLowerCase()}`;
    const lines = await guards({ functionName: 'register', args: [{ ...guardTerms, market }] });
    expect(lines).toContain('Max per rescue: 500 WBNB');
  });

  it.each([
    ['nobody has listed', `0x${'0'.repeat(24)}${fake.slice(2)}` as Hex],
    ['is another in the high bytes', guardTerms.market.replace('0x00', '0x01') as Hex],
  ])('describes nothing of a guard whose market %s', async (_, market) => {
    const terms = { ...guardTerms, market };
    await expect(guards({ functionName: 'register', args: [terms] })).rejects.toThrow(market);
    await expect(linesOfMessage(typed('LoanGuard', 'Consent', { ...consent, terms }))).rejects.toThrow(market);
  });
});

describe('CS-6: what is not ours', () => {
  it('a call to another contract, or on another chain, is not described', async () => {
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [planTerms] });
    expect(await linesOfCall(own.planRegistry, data)).toBeDefined();
    expect(await linesOfCall(bob, data)).toBeUndefined();
    expect(await linesOfCall(own.planRegistry, data, 56)).toBeUndefined();
  });

  it.each([
    ['another verifying contract', { verifyingContract: bob }],
    ['another chain', { chainId: 56 }],
    ['another name', { name: 'Bowline Registry' }],
    ['another version', { version: '2' }],
  ])('a message for %s is not described', async (_, changed) => {
    const message = typed('PlanRegistry', 'Creation', creation);
    expect(await linesOfMessage(message)).toBeDefined();
    expect(await linesOfMessage({ ...message, domain: { ...message.domain, ...changed } })).toBeUndefined();
  });

  it('a message with a field more is not described', async () => {
    const message = typed('QuoteDesk', 'Quote', { ...quote, fee: 1n });
    const types = { Quote: [...(message.types.Quote ?? []), { name: 'fee', type: 'uint256' }] };
    expect(await linesOfMessage({ ...message, types })).toBeUndefined();
  });
});

function word(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
