import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Hand-written files: all count in bytes, and code also in lines. */
const HAND_WRITTEN = /\.(?:tsx?|mjs|js|sol|css|html|json|ya?ml|service|sh)$/;
const CODE = /\.(?:tsx?|mjs|js|sol|css)$/;
const SCRIPT = /\.(?:tsx?|mjs|js)$/;
/** Tests, and output of the project's commands. */
const NOT_COUNTED = [
  /(?:^|\/)test\//,
  /^abis\/(?!index\.ts)/,
  /^script\/compiled\//,
  /(?:^|\/)(?:results|recorded|pictures)\//,
  /\/result\.json$/,
  /^lab\/rooms\/rooms\.json$/,
  /^(?:snapshots|clear-signing|docs|script\/deployments)\//,
  /^[^/]+$/,
];

export const MAX_FUNCTION_LINES = 80;

export type SourceFile = ReturnType<typeof readSources>[number];

/** The hand-written files of the product and of what builds and measures it, without tests. */
export function readSources(root: string) {
  const listed = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((path) => HAND_WRITTEN.test(path) && !NOT_COUNTED.some((pattern) => pattern.test(path)))
    .filter((path) => existsSync(join(root, path)))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const lines = CODE.test(path) ? text.split('\n').length - 1 : 0;
      return {
        path,
        lines,
        bytes: Buffer.byteLength(text),
        /** Names of its functions over 80 lines, with their length. */
        longFunctions: SCRIPT.test(path) ? longFunctions(path, text) : [],
      };
    });
}

function longFunctions(path: string, text: string): { name: string; lines: number }[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { name: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const lines = source.getLineAndCharacterOfPosition(node.end).line - first + 1;
      if (lines > MAX_FUNCTION_LINES) found.push({ name: nameOf(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'a function without a name';
}
