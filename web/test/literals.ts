import ts from 'typescript';

// Finds user-facing texts that are in code instead of the files of words.

interface Literal {
  readonly line: number;
  readonly text: string;
}

/** Attributes whose texts no user reads. All others count. */
const technical = new Set([
  ...[
    'className',
    'each',
    'href',
    'id',
    'htmlFor',
    'type',
    'key',
    'role',
    'rel',
    'target',
    'name',
    'scope',
    'kind',
    'inputMode',
  ],
  ...['autoComplete', 'viewBox', 'preserveAspectRatio', 'd', 'points', 'width', 'height', 'rx', 'x', 'y', 'x1', 'x2'],
  ...[
    'y1',
    'y2',
    'textAnchor',
    'src',
    'path',
    'place',
    'noun',
    'aria-hidden',
    'aria-live',
    'aria-labelledby',
    'aria-describedby',
  ],
  ...['aria-controls', 'aria-current', 'aria-haspopup', 'align', 'data-testid', 'lang'],
]);

/** Texts allowed anywhere: names, texts for the browser, and texts from a node. */
const names = new Set([
  ...['Bowline', '0x…', 'MetaMask', 'Trust Wallet', 'Demo wallet'],
  ...['form, article, section, details, header, nav, main', '(prefers-color-scheme: dark)'],
  ...['insufficient funds', 'exceeds the balance', 'searched'],
]);

const letters = /\p{L}/u;
/** Two consecutive words. Codes and keys have none. */
const prose = /\p{L}{2}[^\s]*\s+[^\s]*\p{L}{2}/u;

/** A file's user-facing texts: all of those in JSX, elsewhere those of two words or more. */
export function literalsIn(path: string, code: string): readonly Literal[] {
  const file = parsed(path, code);
  const found: Literal[] = [];
  const add = (node: ts.Node, text: string) => {
    if (names.has(text.trim())) return;
    found.push({ line: lineOf(file, node), text: text.trim() });
  };
  const visit = (node: ts.Node): void => {
    if (isNotShown(node)) return;
    if (ts.isJsxText(node) && letters.test(node.text)) add(node, node.text);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = textOf(node);
      if ((isShownByJsx(node) ? letters : prose).test(text)) add(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether a node holds no user-facing text: errors for programmers, ABIs, types, imports and technical attributes. */
function isNotShown(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isJsxAttribute(node)) return technical.has(node.name.getText());
  if (ts.isNewExpression(node)) return /^(Api)?Error$/.test(node.expression.getText());
  return ts.isCallExpression(node) && /^(parseAbi|toEventSelector|toFunctionSelector)$/.test(node.expression.getText());
}

/** A template's own text, with a mark for each inserted value. */
function textOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Whether a JSX expression shows this value, rather than using it as an argument, a condition or a key. */
function isShownByJsx(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxExpression(parent) || ts.isJsxAttribute(parent)) return true;
  if (ts.isParenthesizedExpression(parent)) return isShownByJsx(parent);
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isShownByJsx(parent);
  if (!ts.isBinaryExpression(parent)) return false;
  const { kind } = parent.operatorToken;
  const isChoice = kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
  const isJoined = kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.QuestionQuestionToken;
  return (isChoice || isJoined) && isShownByJsx(parent);
}

/** Texts that a file reads on load instead of when it shows them: they would stay in the first language. */
export function readAtLoad(path: string, code: string): readonly number[] {
  const file = parsed(path, code);
  const words = new Set<string>();
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const { text } = node.moduleSpecifier as ts.StringLiteral;
      const named = node.importClause?.namedBindings;
      if (/words\/en\/|^\.\/en\//.test(text) && named && ts.isNamedImports(named)) {
        for (const { name } of named.elements) words.add(name.text);
      }
      return;
    }
    if (ts.isFunctionLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && words.has(node.text)) lines.push(lineOf(file, node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

/** Every piece of text in a file: strings, and the text between the values of templates. */
export function textsIn(path: string, code: string): readonly Literal[] {
  const file = parsed(path, code);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      found.push({ line: lineOf(file, node), text: textOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const parsed = (path: string, code: string) =>
  ts.createSourceFile(
    path,
    code,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

const lineOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
