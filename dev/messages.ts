// Every message that the code can print, read from its syntax: what docs/troubleshooting.md has to explain.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A text that reaches people. */
export interface Message {
  /** `components/children/owner.ts:52`. */
  where: string;
  /** Its fixed parts, in order: a value is put in between two of them. */
  parts: string[];
}

/** Where to look. What a program says reads as words, wherever it stands; of others, which tell stories, errors count. */
const PLACES = [
  { files: "{components,stacks}/**/*.ts", words: true },
  { files: "index.ts", words: true },
  { files: "{adopt,ci,dev}/**/*.ts", words: false },
];

/** Calls whose text arguments reach people, be they but one word. */
const SPEAKING_CALLS = ["Error", "RunError", "ResourceError", "KubectlError", "refuse", "failRun", "stop"];
/** Methods that do: of `pulumi.log`, `console` and the language host's answers. */
const SPEAKING_METHODS = ["log.warn", "log.error", "log.info", "console.error", "response.setError"];
/** Properties that do. */
const SPEAKING_PROPERTIES = ["message", "error", "detail"];

/** The messages of the checkout in `root`, each text once. */
export function messages(root: string): Message[] {
  const found = PLACES.flatMap(({ files, words }) =>
    globSync(files, { cwd: root }).flatMap((file) =>
      messagesIn(file, readFileSync(`${root}/${file}`, "utf8"), words),
    ),
  );
  return [...new Map(found.map((message) => [textOf(message), message])).values()];
}

/** A message as it is written on the page. */
export function textOf({ parts }: Message): string {
  return parts.join("<...>").trim();
}

/** The messages of one file: what a speaking call or property is given and, with `words`, every text that reads as words. */
export function messagesIn(file: string, code: string, words: boolean): Message[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node, spoken: boolean): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (!isText(node)) {
      ts.forEachChild(node, (child) => {
        visit(child, speaks(node, child) || (spoken && isChoice(node)));
      });
      return;
    }
    const parts: string[] = [""];
    for (const piece of pieces(node)) {
      if (typeof piece === "string") parts.push(`${parts.pop() ?? ""}${piece}`);
      else {
        parts.push("");
        visit(piece, false);
      }
    }
    const count = parts.join(" ").match(/\p{L}{2,}|\ba\b/gu)?.length ?? 0;
    const hasSpace = parts.some((part) => /\S\s+\S|\w\s|\s\w/.test(part));
    if (count >= (spoken ? 1 : 2) && (spoken || (words && hasSpace))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ where: `${file}:${line + 1}`, parts });
    }
  };
  visit(source, false);
  return found;
}

function isText(node: ts.Node): node is ts.Expression {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return isSum(node) && (isText(node.left) || isText(node.right));
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

/** The fixed parts of a text, and the expressions that are put in. */
function pieces(node: ts.Expression): (string | ts.Expression)[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (isSum(node)) return [...pieces(node.left), ...pieces(node.right)];
  if (!ts.isTemplateExpression(node)) return [node];
  return [
    node.head.text,
    ...node.templateSpans.flatMap(({ expression, literal }) => [expression, literal.text]),
  ];
}

function speaks(node: ts.Node, child: ts.Node): boolean {
  if (ts.isPropertyAssignment(node))
    return child === node.initializer && SPEAKING_PROPERTIES.includes(node.name.getText());
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  if (node.arguments?.some((argument) => argument === child) !== true) return false;
  const callee = node.expression.getText();
  const name = callee.split(".").at(-1) ?? "";
  return SPEAKING_CALLS.includes(name) || SPEAKING_METHODS.some((method) => callee.endsWith(method));
}

/** Whether one of the operands becomes the value. */
function isChoice(node: ts.Node): boolean {
  if (ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node)) return true;
  const { QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken } = ts.SyntaxKind;
  return (
    ts.isBinaryExpression(node) &&
    [QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken].includes(node.operatorToken.kind)
  );
}
