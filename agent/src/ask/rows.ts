/** The words of a list. */
export type Named<List extends string> = List extends `${infer Name} ${infer Others}` ? Name | Named<Others> : List;

/** A table: each line is a row, with cells between arrows. */
export const rowsOf = (table: string): (readonly [string, string, ...string[]])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [first = '', second = '', ...rest] = line.split(' → ');
      return [first, second, ...rest];
    });

/** Patterns and their words, with ~ for a space. */
export const replacementsOf = (table: string): (readonly [RegExp, string])[] =>
  rowsOf(table).map(([pattern, plain]) => [new RegExp(pattern, 'g'), plain.replaceAll('~', ' ')]);
