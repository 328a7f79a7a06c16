import { type Asset, assets, type ShareAsset, shareAssets } from './path.ts';

/** Something that happens to the market because somebody asked for it. */
export type Scene =
  /** The price falls by `share` (0.15 for 15 %): feeds, pools and exchange follow. */
  | { readonly name: 'crash'; readonly asset: Asset; readonly share: number }
  /** The feed answers no more, and its last answer is old. */
  | { readonly name: 'stale-oracle'; readonly asset: Asset }
  /** Somebody pushes the asset's pool away from its price and holds it there. */
  | { readonly name: 'pool-manipulated'; readonly asset: Asset }
  /** Its issuer halts the token of a share. */
  | { readonly name: 'halt'; readonly asset: ShareAsset }
  /** A share becomes two, which its tokens stand for from then on, or do not. */
  | { readonly name: 'split' | 'split-unpaid'; readonly asset: ShareAsset }
  | { readonly name: 'calm' };

export const usage = `Scenes:
  npm run scene -- crash BTCB 15%           the price falls by so much within seconds
  npm run scene -- stale-oracle ETH         the price feed goes silent
  npm run scene -- pool-manipulated BTCB    the pool is pushed 5 % off its price and held there
  npm run scene -- halt ACMEX               the token of a share is halted by its issuer
  npm run scene -- split ACMEX              a share becomes two, and its token stands for two
  npm run scene -- split-unpaid ACMEX       a share becomes two, and its token still stands for one
  npm run scene -- calm                     feeds answer and pools are traded back; a fallen price stays`;

/** What a scene that cannot be played answers: one sentence. */
export class SceneRefused extends Error {}

/** What loans are on. USDT is what the others are priced in. */
const crashable = ['BTCB', 'ETH', 'WBNB'] as const;
const pushable = assets.filter((asset) => asset !== 'USDT');

/** @throws SceneRefused. */
export function parseScene([name = '', ...rest]: readonly string[]): Scene {
  switch (name) {
    case 'crash':
      takes(name, rest, 2, 'an asset and a percentage, as in "crash BTCB 15%"');
      return { name, asset: assetOf(name, rest[0], crashable), share: shareOf(rest[1]) };
    case 'stale-oracle':
      takes(name, rest, 1, 'an asset, as in "stale-oracle ETH"');
      return { name, asset: assetOf(name, rest[0], assets) };
    case 'pool-manipulated':
      takes(name, rest, 1, 'an asset, as in "pool-manipulated BTCB"');
      return { name, asset: assetOf(name, rest[0], pushable) };
    case 'halt':
    case 'split':
    case 'split-unpaid':
      takes(name, rest, 1, `the token of a share, as in "${name} ACMEX"`);
      return { name, asset: assetOf(name, rest[0], shareAssets) };
    case 'calm':
      takes(name, rest, 0, 'nothing more');
      return { name };
    default:
      throw new SceneRefused(
        `There is no scene "${name}"; there are crash, stale-oracle, pool-manipulated, halt, split, split-unpaid and calm.`,
      );
  }
}

/** As it is asked for. */
export function wordsOf(scene: Scene): string {
  const asset = 'asset' in scene ? [scene.asset] : [];
  const share = 'share' in scene ? [`${Number((scene.share * 100).toFixed(2))}%`] : [];
  return [scene.name, ...asset, ...share].join(' ');
}

function takes(name: string, rest: readonly string[], count: number, what: string): void {
  if (rest.length !== count) throw new SceneRefused(`${name} takes ${what}.`);
}

function assetOf<Allowed extends Asset>(name: string, word = '', allowed: readonly Allowed[]): Allowed {
  const upper = word.toUpperCase();
  const symbol = { BTC: 'BTCB', BNB: 'WBNB' }[upper] ?? upper;
  const found = allowed.find((asset) => asset === symbol);
  if (found !== undefined) return found;
  throw new SceneRefused(`${name} takes one of ${allowed.join(', ')}, not "${word}".`);
}

const maxPercent = 50;

function shareOf(word = ''): number {
  const percent = /^(\d+(?:\.\d+)?)%?$/.exec(word)?.[1];
  const share = Number(percent) / 100;
  if (share > 0 && share <= maxPercent / 100) return share;
  throw new SceneRefused(`crash takes a percentage above 0 and up to ${maxPercent}, as in 15%, not "${word}".`);
}
