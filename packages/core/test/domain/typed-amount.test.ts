import { expect, test } from 'vitest';
import { personsAmount, programsAmount } from '../../domain/typed-amount.ts';

test.each([
  // What a person and what a program means by it.
  ['1250.5', '1250.5', '1250.5'],
  ['1,250', ['1', '250'], '1250'],
  ['1,250.5', '1250.5', '1250.5'],
  ['1,250,000', '1250000', '1250000'],
  ['1.250,5', '1250.5', '1.250,5'],
  ['1 250.5', '1250.5', '1250.5'],
  ['1 250,5', '1250.5', '1 250,5'],
  ['1,25', '1.25', '1,25'],
  ['12,34,567', '12.34,567', '12,34,567'],
  ['$1,000', '$1.000', '1000'],
  ['1_000', '1_000', '1000'],
  ['1e3', '1e3', '1e3'],
])('%s', (text, person, program) => {
  expect(personsAmount(text)).toEqual(person);
  expect(programsAmount(text)).toBe(program);
});
