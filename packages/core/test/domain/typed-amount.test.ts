import { expect, test } from 'vitest';
import { personsAmount } from '../../domain/typed-amount.ts';

test.each([
  ['1250.5', '1250.5'],
  ['1,250', ['1', '250']],
  ['1,250.5', '1250.5'],
  ['1,250,000', '1250000'],
  ['1.250,5', '1250.5'],
  ['1 250.5', '1250.5'],
  ['1 250,5', '1250.5'],
  ['1,25', '1.25'],
  ['12,34,567', '12.34,567'],
  ['$1,000', '$1.000'],
  ['1_000', '1_000'],
  ['1e3', '1e3'],
])('a person’s %s', (text, person) => {
  expect(personsAmount(text)).toEqual(person);
});
