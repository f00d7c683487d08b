import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findBarriers, findBrowser, openBrowser } from '@modelwire/explorer-tests'
import t, { type Test } from 'tap'
import { htmlReport } from '#src/diff/html-report.ts'
import type { Outcome } from '#src/diff/run-diff.ts'
import { outcome } from './outcome.ts'

const browserPath = findBrowser()
const skip = browserPath === undefined ? 'no Chromium is installed; CHROMIUM_PATH names another one' : false
const rules = ['wcag2a', 'wcag2aa', 'best-practice']

const places = Array.from({ length: 60 }, (_, at) => ({ model: `ModelOfALongName${at}`, path: `/api/Models${at}` }))

const outcomesOf = (path: string): Outcome[] =>
  Array.from({ length: 10 }, (_, at) =>
    outcome(`${path}/${at}?filter=${encodeURIComponent(JSON.stringify({ where: { text: 'x'.repeat(at * 40) } }))}`, [
      { where: 'status', kind: 'status', old: 200, new: 404 },
      { where: '/0/at', kind: 'value', old: 'y'.repeat(600), new: undefined },
      { where: '/1/at', kind: 'value', old: { a: '<script>' }, new: null }
    ])
  )

/** The file of a report on 60 models with many differences. */
function writeReport(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelwire-report-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'report.html')
  const outcomes = places.flatMap(({ path }) => outcomesOf(path))
  writeFileSync(file, htmlReport({ old: 'http://old', new: 'http://new', outcomes, places }))
  return pathToFileURL(file).href
}

t.test(
  'a report of 60 models is folded, fits phones, and has no barriers, by day and by night',
  { skip },
  async (t) => {
    const browser = await openBrowser(browserPath ?? '')
    t.teardown(() => browser.close())
    const url = writeReport(t)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1280]) {
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
        await page.goto(url)
        t.equal(await page.locator('details.model').count(), 60)
        t.equal(await page.locator('details[open]').count(), 0)
        t.notOk(await page.getByText('404').first().isVisible())
        t.same(await findBarriers(page, rules), [], `${colorScheme}, ${width}, folded`)
        await page.locator('details.model > summary').first().click()
        await page.locator('details.model details > summary').first().click()
        t.ok(await page.getByText('404').first().isVisible())
        t.same(await findBarriers(page, rules), [], `${colorScheme}, ${width}, open`)
        const excess = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        )
        t.equal(excess, 0, `${width} is wide enough`)
        await page.close()
      }
  }
)
