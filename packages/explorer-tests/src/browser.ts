import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const browserPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

/** The path of a Chromium: `CHROMIUM_PATH`, or one of the system. Undefined when there is none. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  return chosen === undefined ? browserPaths.find((path) => existsSync(path)) : chosen
}

/** Starts a Chromium without a window. Close it. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  // A container has neither a sandbox nor much shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** What an examination of accessibility finds by these rules of axe-core, such as `color-contrast`: the elements by rule. */
export async function findBarriers(page: Page, rules: string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    async (runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly }), // put there above
    rules
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
