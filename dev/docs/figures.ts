// Figures that a harness has measured, in a page that a person has written: they stand between two marks.

const BEGIN = "<!-- Figures, by `npm run docs`: change what measures them, not these lines. -->";
const END = "<!-- End of the figures. -->";

/** The page with these figures in place of those that it has. */
export function withFigures(page: string, figures: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`a page with figures has the lines ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${figures}\n\n${page.slice(end)}`;
}
