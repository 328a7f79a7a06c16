import { ZodError } from 'zod';

/** @throws Error with one line for what cannot be read as an answer, where the schemas' own error has one for each field. */
export async function readable<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    const [first] = cause.issues;
    const where = first?.path.join('.');
    const what = `${where ? `${where}: ` : ''}${first?.message}`;
    throw new Error(`This is no answer of check_asset or GET /verdict: ${what}.`, { cause });
  }
}
