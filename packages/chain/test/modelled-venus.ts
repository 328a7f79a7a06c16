// Venus accounts as its lens reports them, without a chain: each has one collateral and one debt.

import type { ChainClient } from '@bowline/chain/chain-client';
import { WAD } from '@bowline/core/domain/units';
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  toHex,
} from 'viem';
import { venusLensAbi } from '../../../abis/index.ts';

const collateral: Address = `0x${'c0'.repeat(20)}`;
const debt: Address = `0x${'de'.repeat(20)}`;
const thresholdWad = (8n * WAD) / 10n;
const balance = 1_000n * WAD;
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const pair = (high: bigint, low: bigint): Hex => word((high << 128n) | low);

/** `debts[n]` of account n is in USD with 18 decimals, against collateral weighted at 800 USD at a price of 1. */
export interface ModelledVenus {
  readonly debts: bigint[];
  /** Of the collateral. */
  priceWad: bigint;
  accountAt(n: number): Address;
  /** Of the collateral, as the adapter names it. */
  readonly market: Hex;
  readonly client: ChainClient;
}

/** @param travel resolves when a request has gone to the node and back. */
export function modelledVenus(debts: bigint[], travel: () => Promise<void>): ModelledVenus {
  const venus: ModelledVenus = {
    debts,
    priceWad: WAD,
    accountAt: (n) => toHex(2n ** 150n + BigInt(n), { size: 20 }),
    market: pad(collateral),
    client: {
      request: async ({ params: [{ data }] }: { params: [{ data: Hex }] }) => {
        await travel();
        return answer(data);
      },
    } as unknown as ChainClient,
  };

  function answer(data: Hex): Hex {
    const asked = keccak256(data);
    const { functionName, args } = decodeFunctionData({ abi: venusLensAbi, data });
    if (functionName === 'read') {
      const answers = args[1].map(({ borrowers }) => concat(borrowers.map(wordsOf)));
      return encodeFunctionResult({ abi: venusLensAbi, functionName: 'read', result: [asked, answers] });
    }
    if (functionName !== 'rates') throw new Error(`${functionName} is not modelled`);
    const [, vTokens, , members] = args;
    const each = vTokens.flatMap((vToken) => {
      const isCollateral = vToken.toLowerCase() === collateral;
      return [isCollateral ? venus.priceWad : WAD, WAD, WAD, ...members.map(() => thresholdWad)];
    });
    const result = [asked, [...members.map(() => 1n), ...each]] as const;
    return encodeFunctionResult({ abi: venusLensAbi, functionName: 'rates', result });
  }

  function wordsOf(account: Address): Hex {
    const owed = debts[Number(BigInt(account) - 2n ** 150n)] ?? 0n;
    const weighted = (((thresholdWad * venus.priceWad) / WAD) * balance) / WAD;
    return concat([
      ...[word(2n << 8n), pair(owed, weighted), pair(0n, 0n)],
      ...[word((BigInt(collateral) << 96n) | WAD), pair(balance, 0n)],
      ...[word((BigInt(debt) << 96n) | WAD), pair(0n, owed)],
    ]);
  }
  return venus;
}
