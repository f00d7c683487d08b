import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]
const executablePath = places.find((place) => place !== undefined && existsSync(place))

/** Why tests in a browser are skipped here; false where there is one. */
export const skip = executablePath === undefined ? 'needs Chromium, at CHROMIUM_PATH or where it is usually' : false

/** A real browser, closed with the test. */
export async function openBrowser(t: Test): Promise<Browser> {
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    // Containers have no sandbox of their own, and little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage']
  })
  t.teardown(() => browser.close())
  return browser
}

/** What a page did wrong: complaints of its policy, errors of scripts, requests to other hosts than `hosts`. */
export interface WatchedPage {
  readonly page: Page
  readonly complaints: string[]
}

/** Opens a page and listens to what it does. */
export async function openPage(
  browser: Browser,
  hosts: readonly string[],
  options: BrowserContextOptions = {}
): Promise<WatchedPage> {
  const page = await (await browser.newContext(options)).newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser tells of every status that is not 2xx; tests look at these by themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!hosts.includes(new URL(request.url()).host)) complaints.push(`asks ${request.url()}`)
  })
  return { page, complaints }
}

/** What an examination of accessibility finds: rules of WCAG 2.2, A and AA, and good practice. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: typeof axe }).axe.run() // the line before put it there
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** True when a page is wider than its window, so that people have to scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth')

/** Keeps a picture of a page where PAGE_PICTURES names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PAGE_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
