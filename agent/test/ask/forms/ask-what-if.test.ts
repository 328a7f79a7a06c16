import { expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/forms/read.ts';
import { assets } from '../assets.ts';

const A = '0x1111111111111111111111111111111111111111';
const toolsOf = (prompt: string) => {
  const intent = readIntent(prompt, assets);
  return 'calls' in intent ? intent.calls.map(({ tool }) => tool) : [];
};

// Each is worded like a price fall, but asks for something that changed prices cannot tell.
test.each([
  `if the interest rate rises by 5 %, is my loan ${A} safe`,
  `what if the borrow APR goes up by 2% for ${A}`,
  `if my health falls to 80 %, what happens to ${A}`,
  `what if my debt rises 10%, loan of ${A}`,
  `if ETH falls to 20 % of its price, is ${A} liquidated`,
  `what if ETH does not fall 20 %, loan ${A}`,
  `what happens if ETH doesn't drop 20% to my loan ${A}`,
  `if ETH drops 20 % and BTC drops 10 %, health of ${A}`,
  `what if the liquidation threshold falls by 5 %, borrower ${A}`,
  `how much do I have to pay back? ${A}`,
  `how much did I deposit, ${A}`,
  'what if ETH falls 20 %',
  `if DOGE falls 20 %, is my loan ${A} safe`,
  `if doge falls 20%, is my BTC loan ${A} safe`,
  `a 20% drop in DOGE: what happens to ${A} after it`,
  `after a fall of 20 % in gold, is ${A} liquidated`,
  `if the volume falls 20 %, loan ${A}`,
  `what if my salary drops 10 percent, loan ${A}`,
])('"%s" is not answered by changed prices', (prompt) => {
  expect(toolsOf(prompt)).not.toContain('what_if');
});
