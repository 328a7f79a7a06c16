import { ailmentOf, tell } from '@bowline/chain/ailments';
import { nodeFailure } from '@bowline/chain/errors';
import type { Log } from '@bowline/core/domain/log';
import { Refusal } from '@bowline/core/domain/refusal';

/** One thing that the agent needs, and its state. */
export interface Finding {
  readonly check: string;
  /** `note`: worth knowing, but the agent works. `refused`: it does not start, or cannot do what its settings want. */
  readonly state: 'ok' | 'note' | 'refused';
  /** One sentence, without third-party text. */
  readonly found: string;
  /** Present unless ok. */
  readonly reason?: string;
  /** What to do. Present unless ok. */
  readonly remedy?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });
const told =
  (state: 'note' | 'refused') =>
  (check: string, reason: string, found: string, remedy: string): Finding => ({ check, state, reason, found, remedy });
export const [note, refused] = [told('note'), told('refused')];

/**
 * Checks a URL by using it as the agent does.
 * @param setting that names it. @param keys setting of its key, if the URL does not contain it.
 * @param ask says what was found: a whole finding, or words that continue a sentence about the host.
 */
export async function asked(
  check: string,
  { url, setting, keys }: { readonly url: string; readonly setting: string; readonly keys?: string | undefined },
  ask: () => Promise<string | Finding>,
): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const found = await ask();
    return typeof found === 'string' ? ok(check, `${host} ${found}.`) : found;
  } catch (error) {
    const said = ailmentOf(error);
    const { found, remedy } = tell(said, setting, keys);
    return refused(check, said.ailment, `${host} ${found}`, remedy);
  }
}

/** The finding for an error that would end the agent's start. */
export function ofStart(check: string, error: unknown): Finding {
  if (error instanceof Refusal) return refused(check, error.reason, error.found, error.remedy);
  const { reason, message } = error as Error & { readonly reason?: unknown };
  if (typeof reason === 'string')
    return refused(check, reason, message, 'Check SIGNER_URL, and the keys that the signer holds.');
  if (nodeFailure(error) !== undefined) {
    const said = ailmentOf(error);
    const { found, remedy } = tell(said, 'RPC_URL');
    return refused(check, said.ailment, `The node ${found}`, remedy);
  }
  const [line = ''] = message.split('\n');
  return refused(check, 'start_refused', line, 'Correct what it names: docs/reference/settings.md has each setting.');
}

export const notChecked = (check: string, needed: string): Finding =>
  note(check, 'not_checked', `This check needs ${needed}.`, 'Correct what is refused, and check again.');

/** A log that turns the start's warnings that carry a remedy into findings. */
export function warningsTo(push: (finding: Finding) => void): Log {
  const at =
    (tell: typeof note) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      const { remedy, cause, ...others } = fields;
      if (typeof remedy !== 'string') return;
      const found = typeof cause === 'string' ? cause : `${Object.values(others).flat().join(', ')}.`;
      const reason = event.replace('.found', '').replaceAll('.', '_');
      push(tell(event.split('.')[0] ?? event, reason, found, remedy));
    };
  return { debug() {}, info() {}, warn: at(note), error: at(refused) };
}

/** Fits most names, so that the texts line up. */
const width = 16;

/** Prints a report to standard output as it grows. @param secrets that no line may show. */
export function openReport(secrets: readonly string[]) {
  const counts = { ok: 0, note: 0, refused: 0 };
  const print = (text: string) =>
    void process.stdout.write(`${secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), text)}\n`);
  return {
    show(title: string, findings: readonly Finding[]): void {
      if (findings.length > 0) print(title);
      for (const { check, state, reason, found, remedy } of findings) {
        counts[state] += 1;
        print(`  ${state.padEnd(8)} ${check.padEnd(width)} ${reason === undefined ? '' : `${reason}: `}${found}`);
        if (remedy !== undefined) print(`           → ${remedy}`);
      }
      if (findings.length > 0) print('');
    },
    /** Prints the totals. @returns whether nothing is refused. */
    conclude(): boolean {
      const notes = `${counts.note} ${counts.note === 1 ? 'note' : 'notes'}`;
      print(`${counts.refused === 0 ? 'Nothing is' : counts.refused} refused, ${notes}, ${counts.ok} ok.`);
      return counts.refused === 0;
    },
  };
}
