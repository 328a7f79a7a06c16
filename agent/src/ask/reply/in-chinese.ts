import type { Choice } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { short } from '@bowline/core/domain/readable';
import { healthOf } from '@bowline/core/texts/amounts';
import { checkAsset } from '../../tools/check-asset.ts';
import { getPrice } from '../../tools/get-price.ts';
import { loanHealth } from '../../tools/loan-health.ts';
import type { Intent } from '../intent/question.ts';
import { chinese } from '../languages/chinese.ts';
import type { AskedBack } from './asked-back.ts';

/** Asks back in Chinese. */
export function replyInChinese(
  intent: Exclude<Intent, { readonly calls: unknown }>,
  assets: readonly Asset[],
): AskedBack {
  const { says, ask } = chinese;
  const named = 'instead' in intent ? intent.instead?.[0]?.input.asset : undefined;
  const asset = typeof named === 'string' ? named : (assets[0]?.symbol ?? 'BTCB');
  const menu = [ask.price(asset), ask.fair(asset), ask.plans, ask.guard];
  const [text, choices] =
    'missing' in intent
      ? intent.missing === 'plan'
        ? [says.whichPlan, [ask.outlook, ask.plans]]
        : [says.whichAddress, [ask.guard, ask.plans]]
      : [intent.refusal === 'greeting' ? says.greeting : says.unread, menu];
  return { text: `${text} ${(choices as readonly Choice[]).map(({ prompt }) => prompt).join(' ')}`, choices };
}

/** The first line of an answer in Chinese; undefined where the answer has numbers and times alone. */
export function leadInChinese(tool: string, output: Record<string, unknown>): string | undefined {
  const { leads } = chinese;
  switch (tool) {
    case getPrice.name: {
      const { asset, usd } = getPrice.output.parse(output);
      return leads.price(asset, short(usd));
    }
    case checkAsset.name:
      return leads.verdict[checkAsset.output.parse(output).verdict];
    case loanHealth.name: {
      const { health } = loanHealth.output.parse(output);
      return leads.health(health === null ? null : healthOf(health));
    }
    default:
      return undefined;
  }
}
