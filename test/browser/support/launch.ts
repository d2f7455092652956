import puppeteer, { type Browser } from "puppeteer-core";
import { findChromium, NO_CHROMIUM } from "./chromium.ts";

/**
 * A real browser, without a window: the Chromium of this machine.
 * @throws Error that says how to get one
 */
export async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  // Containers run as root and have little shared memory; only our own pages are opened.
  return await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
