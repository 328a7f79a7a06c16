import type { Choice } from '@bowline/core/domain/answer';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import type { Language, ToolCall } from '../question.ts';
import { choiceTexts } from '../texts.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** A tool call as a button: a few words, and a question that is read back as the same call. */
export function choiceOf(call: ToolCall, language: Language): Choice {
  const fields = fieldsOf(call);
  const [label = '', prompt = ''] = choiceTexts(keyOf(call), language).map((text) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? ''),
  );
  return { label, prompt };
}

/** The row of the table of choices. */
function keyOf({ tool, input, details }: ToolCall): string {
  const isSized = input.amount_usd !== undefined || input.amount_asset !== undefined;
  const first = (...kinds: readonly (readonly [string, unknown])[]) => kinds.find(([, is]) => is)?.[0];
  const kind = {
    check_asset: first(
      ['largest', details?.largest],
      ['at', details?.priceUsd && (input.side || isSized)],
      ['price', details?.priceUsd],
      ['size', isSized],
      ['side', input.side],
    ),
    quote_swap: first(['sell', input.side === 'sell'], ['usd', input.amount_usd]),
    what_if: first(['moved', input.change_percent]),
    get_history: first(['count', input.count]),
    list_runs: first(['total', input.count === 100], ['count', input.count]),
    list_plans: first(['plan', details?.plan], ['owner', input.owner]),
  }[tool];
  return kind === undefined ? tool : `${tool} ${kind}`;
}

function fieldsOf({ input, details = {} }: ToolCall): Given {
  const given = { side: 'buy', target_health: GUARD_TARGET_HEALTH, ...input } as Given;
  const {
    side,
    asset = '',
    amount_usd: usd = '',
    amount_asset: units = '',
    interval = '1h',
    change_percent = '',
  } = given;
  const isFall = change_percent.startsWith('-');
  const isSale = side === 'sell';
  return {
    ...given,
    ...(details.plan && { plan: details.plan }),
    size: units ? `${grouped(units)} ${asset}` : usd ? `$${grouped(usd)} of ${asset}` : asset,
    sizeZh: units ? `${units} 个 ${asset}` : usd ? `${usd} 美元的 ${asset}` : asset,
    usd: usd && `$${grouped(usd)}`,
    price: `$${grouped(details.priceUsd ?? '')}`,
    does: isSale ? '卖' : '买',
    trade: isSale ? 'sale' : 'purchase',
    candles: { '1h': 'hourly', '1d': 'daily' }[interval] ?? interval,
    short: shortAddress(given.borrower ?? given.owner ?? ''),
    percent: change_percent.replace('-', ''),
    moved: asset || 'its collateral',
    movedZh: asset || '价格',
    moves: isFall ? 'falls' : 'rises',
    movesZh: isFall ? '下跌' : '上涨',
  };
}
