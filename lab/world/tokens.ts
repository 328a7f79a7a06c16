import { type Address, parseEther, toHex } from 'viem';
import { faucetAbi, wbnbAbi } from './abis.ts';
import { decimalsOf, type TokenSymbol, tokens } from './addresses.ts';
import { loadPackage } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { canonicalWeth, venusProtocol } from './packages.ts';

const bep20 = {
  USDT: 'Tether USD',
  USDC: 'USD Coin',
  BTCB: 'BTCB Token',
  ETH: 'Ethereum Token',
  XVS: 'Venus',
} as const;

/** Each account's initial balance of every token, large enough for all tests and pools. Base units. */
const fortune = parseEther('1000000000');
const fortuneInWbnb = parseEther('1000000');

/** Places the tokens at their addresses, and gives `holder` a large balance of each, and of BNB. */
export async function deployTokens(chain: Chain, deployer: Address, holder: Address): Promise<void> {
  const { FaucetToken } = loadPackage(venusProtocol);
  for (const [symbol, name] of Object.entries(bep20) as [TokenSymbol, string][]) {
    const address = tokens[symbol];
    await chain.place(address, FaucetToken, [0n, name, decimalsOf(symbol), symbol], deployer);
    await chain.send(deployer, address, { abi: faucetAbi, functionName: 'allocateTo', args: [holder, fortune] });
  }
  await deployWbnb(chain, deployer);
  await chain.setBalance({ address: holder, value: fortuneInWbnb * 10n });
  await chain.send(holder, tokens.WBNB, { abi: wbnbAbi, functionName: 'deposit' }, fortuneInWbnb);
}

// WBNB is WETH9 with another name. In both, name and symbol are the first two storage slots.
async function deployWbnb(chain: Chain, deployer: Address): Promise<void> {
  const { WETH9 } = loadPackage(canonicalWeth);
  await chain.place(tokens.WBNB, WETH9, [], deployer);
  for (const [index, text] of ['Wrapped BNB', 'WBNB'].entries()) {
    await chain.setStorageAt({ address: tokens.WBNB, index, value: shortString(text) });
  }
}

/** A storage slot with a string of at most 31 bytes: the text left-aligned, twice its length in the last byte. */
function shortString(text: string) {
  const bytes = new Uint8Array(32);
  bytes.set(new TextEncoder().encode(text));
  bytes[31] = text.length * 2;
  return toHex(bytes);
}
