// These run in the page: each stands by itself.

/** Labels of the time line that is shown: which of them overlap, and which stand out of it. */
export function overlaps(): { texts: number; overlapping: string[]; outside: string[] } {
  const drawing = [...document.querySelectorAll("svg.timeline")].find(
    (svg) => svg.getClientRects().length > 0,
  );
  if (drawing === undefined) return { texts: 0, overlapping: [], outside: [] };
  const frame = drawing.getBoundingClientRect();
  const texts = [...drawing.querySelectorAll("text")].map((element) => ({
    text: element.textContent,
    box: element.getBoundingClientRect(),
  }));
  const overlapping = texts.flatMap((a, index) =>
    texts
      .slice(index + 1)
      .filter(
        (b) =>
          a.box.left < b.box.right &&
          b.box.left < a.box.right &&
          a.box.top + 2 < b.box.bottom &&
          b.box.top + 2 < a.box.bottom,
      )
      .map((b) => `${a.text} / ${b.text}`),
  );
  const outside = texts.filter(
    ({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2,
  );
  return { texts: texts.length, overlapping, outside: outside.map(({ text }) => text) };
}

/** The contrast of every text that is shown with what lies behind it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrasts(): { text: string; ratio: number }[] {
  const channels = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: { text: string; ratio: number }[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (element === null || text === "" || element.closest("script, style, title") !== null) continue;
    if (element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const colour = element.namespaceURI?.endsWith("svg") === true ? style.fill : style.color;
    const [a, b] = [luminance(colour), luminance(behind(element))].sort((x, y) => y - x);
    found.push({ text, ratio: ((a as number) + 0.05) / ((b as number) + 0.05) });
  }
  return found;
}
