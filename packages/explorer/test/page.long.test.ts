import { findBrowser, openBrowser } from '@modelwire/explorer-tests'
import t from 'tap'
import { explorer } from '#src/index.ts'
import { cellar, makeApp } from './make-app.ts'

const browserPath = findBrowser()
const skip = browserPath === undefined ? 'no Chromium is installed; CHROMIUM_PATH names another one' : false

/** What is measured in the page: how bright its parts are, and how much narrower the filter is than what it filters. */
const measure = `(() => {
  const part = (selector) => document.querySelector(selector)
  const brightness = (selector) => Math.max(...getComputedStyle(part(selector)).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))
  const width = (selector) => part(selector).getBoundingClientRect().width
  return {
    parts: ['body', '.explorer-bar', '.explorer-bar input'].map(brightness),
    missing: width('.opblock-tag-section') - width('.operation-filter-input'),
    excess: document.documentElement.scrollWidth - document.documentElement.clientWidth
  }
})()`

t.test('the page is dark where people want that, and its filter is as wide as a phone', { skip }, async (t) => {
  const app = await makeApp(t, cellar)
  await app.register(explorer)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await openBrowser(browserPath ?? '')
  t.teardown(() => browser.close())
  for (const width of [360, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: 'dark' })
    await page.goto(`${url}/explorer/`)
    await page.locator('.opblock-tag').first().waitFor()
    const found = await page.evaluate(measure)
    const { parts, missing, excess } = found as { parts: number[]; missing: number; excess: number } // what it returns
    t.ok(Math.max(...parts) < 90, `${width}: ${parts.join(', ')}`)
    t.strictSame([missing, excess], [0, 0], `${width}`)
    await page.close()
  }
})
