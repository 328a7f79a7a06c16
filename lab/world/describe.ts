import { formatUnits, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { tokens, venus } from './addresses.ts';
import type { Chain } from './chain.ts';
import { localChainId } from './fork.ts';
import { poolAddress, pools } from './pancake.ts';
import { priceUsd8 } from './prices.ts';

const anvilMnemonic = 'test test test test test test test test test test test junk';

/** The text to print for a person who has just started the local chain. */
export async function describe(chain: Chain, upstream: boolean): Promise<string> {
  const account = mnemonicToAccount(anvilMnemonic);
  const key = toHex(account.getHdKey().privateKey ?? new Uint8Array());
  const sections = [
    [
      ['RPC', chain.url],
      ['chain id', `${localChainId}, forked from ${upstream ? 'the chain at BSC_RPC_URL' : 'a replica of BNB Chain'}`],
      ['block', String(await chain.getBlockNumber())],
    ],
    [
      ['account', `${account.address}, with BNB${upstream ? '' : ' and a billion of most tokens'}`],
      ['its key', `${key} (public: for local chains only)`],
    ],
    Object.entries(tokens).map(([symbol, address]) => {
      const price = symbol in priceUsd8 ? priceUsd8[symbol as keyof typeof priceUsd8] : undefined;
      return [symbol, upstream || price === undefined ? address : `${address}  ${formatUnits(price, 8)} USD`];
    }),
    [['comptroller', venus.comptroller], ...Object.entries(venus.markets)],
    pools.map(({ base, quote, fee }) => [
      `${base}/${quote}`,
      `${poolAddress(tokens[base], tokens[quote], fee)}  ${fee / 10_000} %`,
    ]),
  ];
  const lines = (rows: (readonly string[])[]) =>
    rows.map(([name = '', text]) => `  ${name.padEnd(12)}${text}\n`).join('');
  return `\nThe local BSC is running. Ctrl-C stops it.\n\n${sections.map(lines).join('\n')}\n`;
}
