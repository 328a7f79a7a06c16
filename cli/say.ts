/** A line for whoever typed the command. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
