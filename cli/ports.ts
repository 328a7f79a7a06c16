import { numberOption } from './values.ts';

/** The one-line error for a port that is already in use. */
export function taken(name: string, port: number, option: string, command = 'npm start'): string {
  const next = port < 65_535 ? port + 1 : port - 1;
  return (
    `Port ${port}, which ${name} needs, is in use. Stop the process that listens there (lsof -i :${port} names it), ` +
    `or choose another port: ${command} -- ${option} ${next}`
  );
}

/** @throws one line if `text`, given for `option`, is not a port. */
export const portNumber = (option: string, text: string): number => Number(numberOption(option, text, 1n, 65_535n));
