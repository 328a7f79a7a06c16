import type { Address, Hex } from '../domain/units.ts';

// Parsed by hand: wallets and pages load the ticket check, and a schema library is several times as large as all of it.

type Reader<Value> = (value: unknown, where: string) => Value;

function mustBe(form: string, where: string): never {
  throw new Error(`This is not an answer of check_asset or GET /verdict: ${where}: must be ${form}.`);
}

const text =
  <Text extends string>(form: string, pattern: RegExp): Reader<Text> =>
  (value, where) =>
    typeof value === 'string' && pattern.test(value) ? (value as Text) : mustBe(form, where);
const address = text<Address>('an address', /^0x[0-9a-f]{40}$/i);
const hex = text<Hex>('hexadecimal', /^0x[0-9a-f]*$/i);
const word = text('text', /^/);
const digits = text('digits', /^\d+$/);
const natural: Reader<bigint> = (value, where) => BigInt(digits(value, where));
const whole: Reader<number> = (value, where) =>
  Number.isSafeInteger(value) ? (value as number) : mustBe('a whole number', where);

/** Strict: an unknown field is one that nobody has checked. */
const record =
  <Shape>(fields: { readonly [Name in keyof Shape]: Reader<Shape[Name]> }): Reader<Shape> =>
  (value, where) => {
    if (typeof value !== 'object' || value === null) return mustBe('an object', where);
    const given: Readonly<Record<string, unknown>> = { ...value };
    const read: Partial<Shape> = {};
    for (const name of Object.keys({ ...fields, ...given }) as (keyof Shape & string)[]) {
      const at = `${where}.${name}`;
      read[name] = Object.hasOwn(fields, name) ? fields[name](given[name], at) : mustBe('absent', at);
    }
    return read as Shape;
  };

const ticket = /* @__PURE__ */ record({
  token_in: address,
  token_out: address,
  verdict: whole,
  max_price_wad: natural,
  max_amount_in: natural,
  issued_at: natural,
  expires_at: natural,
  evidence_hash: hex,
  signer: address,
  signature: hex,
  domain: record({ name: word, version: word, chain_id: whole, verifying_contract: address }),
});

/** A ticket as `check_asset` and `GET /verdict` return it, with its numbers parsed. */
export type ServedTicket = ReturnType<typeof ticket>;

/** @returns null if the answer has none. @throws Error with one line that names the field. */
export const readTicket = (given: unknown): ServedTicket | null => (given === null ? null : ticket(given, 'ticket'));
