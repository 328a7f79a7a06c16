// `npm run lab -- rooms`: prints the lines and bytes of each room beside its budget, and the functions over 80 lines. Exits
// with 1 if a room or the number of such functions has grown since rooms.json was recorded, or if a room is over its aim
// without a reason. `--record` lowers what has fallen; raise intended growth by hand, with the reason in the commit.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MAX_FUNCTION_LINES, readSources, type SourceFile } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = new URL('rooms.json', import.meta.url);

const count = z.number().int().nonnegative();
const tableSchema = z.strictObject({
  longFunctions: count,
  /**
   * `aim` is the budget of the third edition, in lines, and `reason` why a room is over it; `lines` and `bytes` are ceilings. The first
   * room that holds a path counts it.
   */
  rooms: z.array(
    z
      .strictObject({ name: z.string(), folders: z.array(z.string()), aim: count, reason: z.string().optional() })
      .extend({ lines: count, bytes: count }),
  ),
});
type Room = z.infer<typeof tableSchema>['rooms'][number];

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });

const holds = ({ folders }: Room, path: string) => folders.some((folder) => path.startsWith(folder));

const sum = (files: readonly SourceFile[], of: 'lines' | 'bytes') => files.reduce((total, file) => total + file[of], 0);

function main(): boolean {
  const known = tableSchema.parse(JSON.parse(readFileSync(table, 'utf8')));
  const sources = readSources(root);
  const roomless = sources.filter(({ path }) => !known.rooms.some((room) => holds(room, path)));
  for (const { path } of roomless) console.log(`FAILED  ${path} is in no room of lab/rooms/rooms.json`);

  const found = known.rooms.map((room) => {
    const own = sources.filter(({ path }) => known.rooms.find((each) => holds(each, path)) === room);
    return { ...room, nowLines: sum(own, 'lines'), nowBytes: sum(own, 'bytes') };
  });
  const row = (name: string, ...cells: readonly (string | number)[]) =>
    console.log(name.padEnd(18) + cells.map((cell) => cell.toLocaleString('en').padStart(11)).join(''));
  row('room', 'lines', 'ceiling', 'aim', 'bytes', 'ceiling');
  for (const { name, nowLines, lines, aim, nowBytes, bytes } of found) row(name, nowLines, lines, aim, nowBytes, bytes);
  const total = (of: 'nowLines' | 'lines' | 'aim' | 'nowBytes' | 'bytes') =>
    found.reduce((all, room) => all + room[of], 0);
  row('all', total('nowLines'), total('lines'), total('aim'), total('nowBytes'), total('bytes'));

  console.log('\nOver the aim:');
  for (const { name, reason } of found) if (reason) console.log(`${name.padEnd(18)} ${reason}`);

  const long = sources.flatMap(({ path, longFunctions }) => longFunctions.map((each) => ({ path, ...each })));
  console.log(`\n${long.length} functions over ${MAX_FUNCTION_LINES} lines; ceiling ${known.longFunctions}`);
  const unexplained = found.filter(({ nowLines, aim, reason }) => nowLines > aim && reason === undefined);
  for (const { name } of unexplained) console.log(`FAILED  ${name} is over its aim, and rooms.json gives no reason`);
  const grown = found.filter(({ nowLines, lines, nowBytes, bytes }) => nowLines > lines || nowBytes > bytes);
  for (const { name } of grown) console.log(`FAILED  ${name} has grown`);
  if (long.length > known.longFunctions) {
    for (const { path, name, lines } of long) console.log(`FAILED  ${lines} lines: ${name} in ${path}`);
  }
  if (values.record) {
    const rooms = found.map(({ nowLines, nowBytes, ...room }) => ({
      ...room,
      lines: Math.min(room.lines, nowLines),
      bytes: Math.min(room.bytes, nowBytes),
    }));
    const longFunctions = Math.min(known.longFunctions, long.length);
    writeFileSync(table, `${JSON.stringify({ longFunctions, rooms }, null, 2)}\n`);
  }
  return roomless.length === 0 && unexplained.length === 0 && grown.length === 0 && long.length <= known.longFunctions;
}

process.exitCode = main() ? 0 : 1;
