import { findBarriers, findBrowser, openBrowser } from '@modelwire/explorer-tests'
import t, { type Test } from 'tap'
import { type Front, startFront, startOld } from './front.ts'

const browserPath = findBrowser()
const skip = browserPath === undefined ? 'no Chromium is installed; CHROMIUM_PATH names another one' : false
const rules = ['wcag2a', 'wcag2aa', 'best-practice']

/** A front with a route that answers alike and one that does not. */
async function startCompared(t: Test): Promise<Front> {
  const old = await startOld(t)
  const front = await startFront(t, old.url)
  await fetch(`${front.url}/api/Notes`)
  old.rows = [{ id: 1, text: `${'long'.repeat(200)}<script>` }]
  await fetch(`${front.url}/api/Notes?filter=${'x'.repeat(300)}&access_token=secret`)
  await front.route('Note.find', ({ different }) => different === 1)
  return front
}

t.test(
  'the page shows the evidence live, without barriers, by day and by night, on phones',
  { skip, timeout: 120_000 },
  async (t) => {
    const front = await startCompared(t)
    const { url, token } = front.behind.access
    const browser = await openBrowser(browserPath ?? '')
    t.teardown(() => browser.close())
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1280]) await examine(t, browser, { url, token, colorScheme, width })
  }
)

interface Look {
  readonly url: string
  readonly token: string
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}

async function examine(t: Test, browser: Awaited<ReturnType<typeof openBrowser>>, look: Look): Promise<void> {
  const { url, token, colorScheme, width } = look
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()))
  await page.goto(`${url}/#${token}`)
  await page.getByRole('row', { name: 'Note.find GET /api/Notes' }).waitFor()
  t.equal(page.url(), `${url}/`, 'the token is not left in the address')
  const summary = /^0 of \d+ routes handed over; 2 answers compared, 1 equal, 1 different/
  t.match(await page.locator('#summary').textContent(), summary)
  for (const box of await page.locator('summary').all()) await box.click()
  t.notMatch(await page.locator('main').textContent(), /secret/)
  t.same(await findBarriers(page, rules), [], `${colorScheme}, ${width}`)
  const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  t.equal(excess, 0, `${width} is wide enough`)
  t.same(wrong, [])
  await page.close()
}

t.test('routes are handed over and back on the page, by keyboard as well', { skip, timeout: 120_000 }, async (t) => {
  const front = await startCompared(t)
  const { url, token } = front.behind.access
  const browser = await openBrowser(browserPath ?? '')
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  await page.getByLabel('Token, as printed at the start').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('is not valid for this start').waitFor()
  await page.getByLabel('Token, as printed at the start').fill(token)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Hand over Note.find', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Note.find handed over').waitFor()
  t.match(await front.route('Note.find'), { owner: 'new', cause: 'page' })
  t.equal(
    await page.evaluate('document.activeElement.getAttribute("aria-label")'),
    'Hand back Note.find',
    'the focus stays'
  )
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByLabel('Show only').fill('Note.count')
  await page.getByRole('button', { name: 'Hand over those shown' }).click()
  await page.getByRole('status').getByText('Note.count handed over').waitFor()
  await page.getByLabel('Show only').fill('')
  await page.getByRole('button', { name: 'Hand back those shown' }).click()
  await page.getByRole('status').getByText('2 routes handed back').waitFor()
  t.equal((await front.route('Note.find')).owner, 'old')
})
