// Writes the reference pages of docs/ from the JSDoc of the components: `npm run docs`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Models } from "typedoc";
import { renderFigures } from "../bench/figures/page.ts";
import type { Results } from "../bench/figures/results.ts";
import { describeComponent } from "./docs/component.ts";
import { renderEffects } from "./docs/effects.ts";
import { withFigures } from "./docs/figures.ts";
import { PAGES, type Page } from "./docs/pages.ts";
import { readProject } from "./docs/project.ts";
import { type ChaosFigures, renderReliability } from "./docs/reliability.ts";
import { renderPage } from "./docs/render.ts";
import { formatFor } from "./format.ts";

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

/** The pages of the harnesses, with the figures that these have recorded. */
export function generateFigures(): Promise<GeneratedPage>[] {
  const read = (file: string): unknown => JSON.parse(readFileSync(ROOT + file, "utf8"));
  const page = async (file: string, figures: string): Promise<GeneratedPage> => ({
    ...(await formatted(file, withFigures(readFileSync(ROOT + file, "utf8"), figures))),
    gaps: [],
  });
  const chaos = read("test/chaos/figures.json") as Record<string, ChaosFigures>;
  return [
    page("docs/performance.md", renderFigures(read("bench/results.json") as Results)),
    page("docs/reliability.md", renderReliability(chaos)),
  ];
}

async function formatted(file: string, markdown: string): Promise<{ path: string; text: string }> {
  const path = `${ROOT}${file}`;
  return { path, text: await formatFor(path, markdown) };
}

if (import.meta.main) {
  const project = await readProject(
    ROOT,
    PAGES.flatMap(({ sources }) => sources),
  );
  const pages = [
    ...PAGES.map((page) => generatePage(project, page)),
    generateEffects(project),
    ...generateFigures(),
  ];
  for (const { path, text } of await Promise.all(pages)) {
    writeFileSync(path, text);
    console.log(`wrote ${path.slice(ROOT.length)}`);
  }
}
