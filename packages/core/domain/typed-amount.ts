// How people write amounts. Programs write them as agent/src/tools/read-input.ts reads them.

/** Converts the digits and signs that Chinese input methods write by default, like １００．５, to ASCII. */
export const halfWidth = (text: string): string =>
  text.replace(/[０-９．，]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

const spaces = /[ \u00a0\u202f]/g;
const spellings = {
  /** 1,250.5 and 1,250,000 */
  byComma: /^\d{1,3}(,\d{3})+(\.\d*|(?<=,\d{3},\d{3}))$/,
  /** 1.250,5 */
  byPoint: /^\d{1,3}(\.\d{3})+(,\d*|(?<=\.\d{3}\.\d{3}))$/,
  /** 1 250,5, with a narrow or unbreakable space too */
  bySpace: /^\d{1,3}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/,
};

/**
 * A person's amount with a decimal point and without groups; a comma is also a decimal sign. Returns the two parts of a
 * number like 1,250, which is a thousand to some and one to others. Text that is not an amount stays as it is.
 */
export function personsAmount(text: string): string | readonly [whole: string, rest: string] {
  const typed = halfWidth(text.trim());
  const [, whole, rest] = /^([1-9]\d{0,2}),(\d{3})$/.exec(typed) ?? [];
  if (whole !== undefined && rest !== undefined) return [whole, rest];
  if (spellings.bySpace.test(typed)) return typed.replace(spaces, '').replace(',', '.');
  if (spellings.byComma.test(typed)) return typed.replaceAll(',', '');
  if (spellings.byPoint.test(typed)) return typed.replaceAll('.', '').replace(',', '.');
  return typed.replace(',', '.');
}
