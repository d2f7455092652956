// Writes the reference pages of docs/ from the JSDoc of the components: `npm run docs`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import type { Models } from "typedoc";
import { renderFigures } from "../bench/figures/page.ts";
import type { Results } from "../bench/figures/results.ts";
import { describeComponent } from "./docs/component.ts";
import { renderEffects } from "./docs/effects.ts";
import { withFigures } from "./docs/figures.ts";
import { PAGES, type Page } from "./docs/pages.ts";
import { readProject } from "./docs/project.ts";
import { renderPage } from "./docs/render.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A page as it belongs on disk: its path, its text, and what the code does not say of its fields. */
export interface GeneratedPage {
  path: string;
  text: string;
  gaps: string[];
}

/** The page as the code has it; nothing is written. */
export async function generatePage(project: Models.ProjectReflection, page: Page): Promise<GeneratedPage> {
  const component = describeComponent(project, page);
  return { ...(await formatted(page.file, renderPage(page, component))), gaps: component.gaps };
}

/** The page of the effects of all components. */
export async function generateEffects(project: Models.ProjectReflection): Promise<GeneratedPage> {
  const all = PAGES.map((page) => ({ component: page.component, of: describeComponent(project, page) }));
  return { ...(await formatted("docs/effects.md", renderEffects(all))), gaps: [] };
}

/** The page of the benchmark, with the figures that it has recorded. */
export async function generatePerformance(): Promise<GeneratedPage> {
  const results = JSON.parse(readFileSync(`${ROOT}bench/results.json`, "utf8")) as Results;
  const file = "docs/performance.md";
  const page = withFigures(readFileSync(ROOT + file, "utf8"), renderFigures(results));
  return { ...(await formatted(file, page)), gaps: [] };
}

async function formatted(file: string, markdown: string): Promise<{ path: string; text: string }> {
  const path = `${ROOT}${file}`;
  const config = await prettier.resolveConfig(path);
  return { path, text: await prettier.format(markdown, { ...config, filepath: path }) };
}

if (import.meta.main) {
  const project = await readProject(
    ROOT,
    PAGES.flatMap(({ sources }) => sources),
  );
  const pages = [
    ...PAGES.map((page) => generatePage(project, page)),
    generateEffects(project),
    generatePerformance(),
  ];
  for (const { path, text } of await Promise.all(pages)) {
    writeFileSync(path, text);
    console.log(`wrote ${path.slice(ROOT.length)}`);
  }
}
