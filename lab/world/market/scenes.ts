import { type VenusAsset, venusFeeds } from '../addresses.ts';
import { type Asset, assets } from './path.ts';

/** An event that a person triggers on the simulated market. */
export type Scene =
  /** The price falls by `share` (0.15 for 15 %): feeds, pools and exchange follow. */
  | { readonly name: 'crash'; readonly asset: Asset; readonly share: number }
  /** The feed stops answering, and its last answer is old. */
  | { readonly name: 'stale-oracle'; readonly asset: Asset }
  /** Venus's own Chainlink feed follows the standard one a minute late. */
  | { readonly name: 'late-feed'; readonly asset: VenusAsset }
  /** The asset's pool is pushed away from its price and held there. */
  | { readonly name: 'pool-manipulated'; readonly asset: Asset }
  | { readonly name: 'calm' };

export const usage = `Scenes:
  npm run lab -- scene crash BTCB 15%           the price falls by this much within seconds
  npm run lab -- scene stale-oracle ETH         Chainlink's feeds of it go silent
  npm run lab -- scene late-feed ETH            Venus's own Chainlink feed of it falls a minute behind
  npm run lab -- scene pool-manipulated BTCB    the pool is pushed 5 % off its price and held there
  npm run lab -- scene calm                     ends all scenes; fallen prices stay`;

/** The error of a scene that cannot be played: one sentence. */
export class SceneRefused extends Error {}

/** Assets that loans use as collateral. USDT is excluded because the others are priced in it. */
const crashable = ['BTCB', 'ETH', 'WBNB'] as const;
const onVenus = assets.filter((asset): asset is VenusAsset => asset in venusFeeds.chainlink);
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
    case 'late-feed':
      takes(name, rest, 1, 'an asset, as in "late-feed ETH"');
      return { name, asset: assetOf(name, rest[0], onVenus) };
    case 'pool-manipulated':
      takes(name, rest, 1, 'an asset, as in "pool-manipulated BTCB"');
      return { name, asset: assetOf(name, rest[0], pushable) };
    case 'calm':
      takes(name, rest, 0, 'no arguments');
      return { name };
    default:
      throw new SceneRefused(
        `Unknown scene "${name}". Scenes: crash, stale-oracle, late-feed, pool-manipulated, calm.`,
      );
  }
}

/** The scene's words on the command line. */
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
