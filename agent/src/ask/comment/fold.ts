// What a reader sees, whatever characters it is written in: words and figures are compared in this form.

/** Letters of other scripts that look like Latin ones, beside those that NFKC and the removal of marks already fold. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    A: 'АΑ',
    B: 'ВΒ',
    C: 'СϹ',
    D: 'ԀĐ',
    E: 'ЕΕ',
    G: 'Ԍ',
    H: 'НΗĦ',
    I: 'ІΙӀ',
    J: 'ЈͿ',
    K: 'КΚ',
    L: 'Ł',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟՕØ',
    P: 'РΡ',
    Q: 'Ԛ',
    S: 'ЅՏ',
    T: 'ТΤŦ',
    U: 'Ս',
    V: 'Ѵ',
    W: 'Ԝ',
    X: 'ХΧ',
    Y: 'УΥҮ',
    Z: 'Ζ',
    a: 'аɑα',
    c: 'сϲ',
    d: 'ԁɗđ',
    e: 'еҽ',
    g: 'ɡցğġ',
    h: 'һհħ',
    i: 'іıιɩ',
    j: 'јϳ',
    k: 'κк',
    l: 'ӏłƚ',
    n: 'пոη',
    o: 'оοօσøס०০',
    p: 'рρ',
    q: 'ԛզ',
    s: 'ѕ',
    t: 'тτŧ',
    u: 'υսս',
    v: 'νѵ',
    w: 'ԝωա',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ',
  }).flatMap(([latin, alike]) => [...alike].map((each) => [each, latin] as const)),
);

/** The text without characters that are not seen, with one kind of line break: the form that is checked and shown. */
export const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // Invisible and directional characters.
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, (control) => (control === '\n' ? control : ' '))
    .trim();

/** A visible text in Latin letters and digits wherever it looks like them. */
export const folded = (text: string): string =>
  [...text.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((each) => lookAlikes.get(each) ?? (/\p{Nd}/u.test(each) ? digitOf(each) : each))
    .join('');

/** The digit's value. Digits stand in Unicode in unbroken runs of ten. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}
