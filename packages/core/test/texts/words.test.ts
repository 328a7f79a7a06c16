import { reasonCodes, reasonOf } from '@bowline/core/domain/reasons';
import { checkCount } from '@bowline/core/texts/checks';
import { checkName, inWords, isWord, sentence, textOf, wordOfError } from '@bowline/core/texts/words';
import { checks } from '@bowline/core/verdict/checks/index';
import { expect, test } from 'vitest';

test('RW-1: a reason has one number, and a number of nobody has none', () => {
  for (const [reason, number] of Object.entries(reasonCodes)) expect(reasonOf(number)).toBe(reason);
  for (const number of [0, 999, -1, 1.5]) expect(reasonOf(number)).toBeUndefined();
});

test('every reason and every check has words of its own', () => {
  expect(checkCount).toBe(checks.length);
  for (const { id } of checks) expect(checkName(id)).not.toBe(id.replaceAll('_', ' '));
  for (const reason of Object.keys(reasonCodes)) expect(isWord(reason), reason).toBe(true);
  expect(textOf('swap_would_revert')).toBe('the swap would revert if sent now');
});

test('RW-1: an unknown word is shown as itself', () => {
  expect(inWords('something_new')).toBe('something new');
  expect(checkName('something_new')).toBe('something new');
  // Properties that every object has are not words.
  for (const word of ['constructor', '__proto__', 'toString']) {
    expect(isWord(word), word).toBe(false);
    expect(inWords(word)).toBe(word.replaceAll('_', ' '));
    expect(checkName(word)).toBe(word.replaceAll('_', ' '));
  }
  // @ts-expect-error a word that no table has
  expect(textOf('something_new')).toBeUndefined();
});

test('RW-1: the error of a contract is the same word', () => {
  expect(wordOfError('PlanNotActive')).toBe('plan_not_active');
  expect(inWords(wordOfError('QuoteUsedUp'))).toBe('the quote was used or withdrawn: ask for a new one');
  expect(wordOfError('SafeERC20FailedOperation')).toBe('safe_erc20_failed_operation');
});

test('a clause becomes a sentence', () => {
  expect(sentence('the pool gave no price')).toBe('The pool gave no price.');
});
