import { describe, expect, it } from 'vitest';
import { parseScene, SceneRefused } from '../../lab/world/market/scenes.ts';

const parse = (line: string) => parseScene(line.split(' '));

describe('a scene’s words', () => {
  it.each([
    ['crash BTCB 15%', { name: 'crash', asset: 'BTCB', share: 0.15 }],
    ['crash eth 2.5', { name: 'crash', asset: 'ETH', share: 0.025 }],
    ['crash BNB 50%', { name: 'crash', asset: 'WBNB', share: 0.5 }],
    ['stale-oracle ETH', { name: 'stale-oracle', asset: 'ETH' }],
    ['stale-oracle usdt', { name: 'stale-oracle', asset: 'USDT' }],
    ['late-feed bnb', { name: 'late-feed', asset: 'WBNB' }],
    ['pool-manipulated BTC', { name: 'pool-manipulated', asset: 'BTCB' }],
    ['stale-oracle usdc', { name: 'stale-oracle', asset: 'USDC' }],
    ['calm', { name: 'calm' }],
  ])('%s', (line, scene) => {
    expect(parse(line)).toEqual(scene);
  });

  it.each([
    ['storm', 'Unknown scene "storm". Scenes: crash, stale-oracle, late-feed, pool-manipulated, calm.'],
    ['crash', 'crash takes an asset and a percentage, as in "crash BTCB 15%".'],
    ['crash BTCB', 'crash takes an asset and a percentage, as in "crash BTCB 15%".'],
    ['crash DOGE 15%', 'crash takes one of BTCB, ETH, WBNB, not "DOGE".'],
    ['crash USDT 15%', 'crash takes one of BTCB, ETH, WBNB, not "USDT".'],
    ['crash BTCB much', 'crash takes a percentage above 0 and up to 50, as in 15%, not "much".'],
    ['crash BTCB -15%', 'crash takes a percentage above 0 and up to 50, as in 15%, not "-15%".'],
    ['crash BTCB 0%', 'crash takes a percentage above 0 and up to 50, as in 15%, not "0%".'],
    ['crash BTCB 51%', 'crash takes a percentage above 0 and up to 50, as in 15%, not "51%".'],
    ['stale-oracle', 'stale-oracle takes an asset, as in "stale-oracle ETH".'],
    ['late-feed DOGE', 'late-feed takes one of BTCB, ETH, WBNB, USDC, USDT, not "DOGE".'],
    ['pool-manipulated USDT', 'pool-manipulated takes one of BTCB, ETH, WBNB, USDC, not "USDT".'],
    ['calm now', 'calm takes no arguments.'],
  ])('%s is refused in a sentence', (line, sentence) => {
    expect(() => parse(line)).toThrow(new SceneRefused(sentence));
  });
});
