import { shortAmount } from './amounts.ts';
import { words } from './en/frame.ts';
import { partWords } from './en/parts.ts';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

/** What decides whether a form can be signed, in the order in which it is reported. */
interface Form {
  /** What the button says once it can be pressed: "Approve and create". */
  readonly action: string;
  readonly isSigning: boolean;
  readonly isOtherNetwork: boolean;
  /** What is missing or wrong in the fields, as a short request: "Enter an amount". */
  readonly missing?: string | undefined;
  /** Why nothing can be signed for the moment, though the fields are right: "Reading your plans …". */
  readonly waitsFor?: string | undefined;
  readonly pay: Token | undefined;
  /** Base units that the wallet must hold, and those that it holds; undefined while not known. */
  readonly needed: bigint | undefined;
  readonly held: bigint | undefined;
  /** wei of BNB for the network's fee, and those in the wallet; undefined while not known. */
  readonly fee: bigint | undefined;
  readonly native: bigint | undefined;
  /** Whether a contract would refuse what is to be signed. */
  readonly isRefused?: boolean;
}

/** The button of a form: whether it can be pressed, and what it says. */
interface FormState {
  readonly label: string;
  readonly isReady: boolean;
}

/** Unknown values never block signing: the step is simulated again before the wallet is asked. */
export function formState(form: Form): FormState {
  const hindrance = hindranceOf(form);
  return { label: hindrance ?? form.action, isReady: hindrance === undefined };
}

/** What the button says in place of its action. */
function hindranceOf({ pay, needed, held, fee, native, ...form }: Form): string | undefined {
  if (form.isSigning) return words.signing.signing;
  if (form.missing !== undefined) return form.missing;
  if (pay && needed !== undefined && held !== undefined && held < needed) {
    return partWords.notEnough(pay.symbol, shortAmount(held, pay.decimals));
  }
  if (fee !== undefined && native !== undefined && native < fee) return partWords.noFee(shortAmount(native, 18));
  if (form.isOtherNetwork) return form.action;
  return form.isRefused ? words.signing.ended.refused : form.waitsFor;
}
