import type { Verdict } from '@bowline/core/domain/verdict';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { proposalOf } from './proposal.ts';
import type { Scene } from './scene.ts';

export type Judge = (scene: Scene) => { readonly verdict: Verdict; readonly reason?: string };

/** Judges by the rules, with today's limits. */
export const judgeScene: Judge = (scene) => judgeProposal(proposalOf(scene));

/** A seed for each part of the measurement, so that adding one leaves the others as they are. */
export function seedOf(seed: number, name: string): number {
  let hash = 2_166_136_261 ^ seed;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  return hash >>> 0;
}
