// Writes the reference pages of docs/ from the JSDoc of the components: `npm run docs`.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import type { Models } from "typedoc";
import { describeComponent } from "./docs/component.ts";
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
  const path = `${ROOT}${page.file}`;
  const config = await prettier.resolveConfig(path);
  const text = await prettier.format(renderPage(page, component), { ...config, filepath: path });
  return { path, text, gaps: component.gaps };
}

if (import.meta.main) {
  const project = await readProject(
    ROOT,
    PAGES.flatMap(({ sources }) => sources),
  );
  for (const page of PAGES) {
    const { path, text } = await generatePage(project, page);
    writeFileSync(path, text);
    console.log(`wrote ${page.file}`);
  }
}
