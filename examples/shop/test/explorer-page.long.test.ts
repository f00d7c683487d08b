import { findBarriers, findBrowser, openBrowser } from '@modelwire/explorer-tests'
import t, { type Test } from 'tap'
import { buildServer } from '#src/server.ts'

const browserPath = findBrowser()
// Where everything has to be tested, a missing browser is a failure.
const isOptional = browserPath === undefined && process.env['CI'] === undefined
const needs = isOptional ? 'needs a Chromium: install one, or set CHROMIUM_PATH' : false

// A browser takes its time where many tests run at once.
const patience = 60_000
const settings = { skip: needs, timeout: patience }

const sizes = [
  { name: 'a desktop', viewport: { width: 1280, height: 900 }, isMobile: false },
  { name: 'a phone', viewport: { width: 375, height: 667 }, isMobile: true }
]

type Size = (typeof sizes)[number] & { readonly colorScheme?: 'light' | 'dark' }

/** The explorer of the shop in a browser, with what the server is sent and what the browser complains of. */
async function openExplorer(t: Test, { viewport, isMobile, colorScheme = 'light' }: Size) {
  const app = await buildServer()
  t.teardown(() => app.close())
  const tokens: (string | undefined)[] = []
  app.server.on('request', ({ url, headers }) => {
    if (url?.startsWith('/api')) tokens.push(headers.authorization)
  })
  const browser = await openBrowser(browserPath ?? '')
  t.teardown(() => browser.close())
  const context = await browser.newContext({ viewport, isMobile, hasTouch: isMobile, colorScheme, bypassCSP: true })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${await app.listen({ host: '127.0.0.1', port: 0 })}/explorer`)
  return { page, tokens, complaints }
}

for (const size of sizes) {
  t.test(`an operation is tried out in the explorer on ${size.name}`, settings, async (t) => {
    const { page, tokens, complaints } = await openExplorer(t, size)
    await page.getByLabel('Access token').fill('my-token')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.locator('[data-tag="Product"]').click()
    const operation = page.locator('.opblock-get').filter({ has: page.locator('[data-path="/Products"]') })
    await operation.locator('.opblock-summary-control').click()
    await operation.getByPlaceholder('filter').fill('{"where":{"tags":"gift"},"limit":1}')
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.getByText('Pruning shears').waitFor()
    t.match(await answer.innerText(), /200[^]*"sku": "GAR-001"/)
    t.strictSame(tokens, ['Bearer my-token'])
    const width = await page.evaluate('document.documentElement.scrollWidth')
    t.equal(width, size.viewport.width, 'nothing is wider than the window')
    t.strictSame(complaints, [])
  })
}

const rules = ['color-contrast', 'target-size', 'label', 'button-name', 'link-name']
const combinations = sizes.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme }))
)

for (const size of combinations) {
  t.test(`an answer is legible on ${size.name}, ${size.colorScheme}, and nothing covers it`, settings, async (t) => {
    const { page } = await openExplorer(t, size)
    await page.locator('[data-tag="Product"]').click()
    const operation = page.locator('.opblock-get').filter({ has: page.locator('[data-path="/Products"]') })
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table .highlight-code').first()
    await answer.getByText('Pruning shears').waitFor()
    t.strictSame(await findBarriers(page, rules), [])
    const text = await answer.locator('.microlight').boundingBox()
    const button = await answer.getByRole('button', { name: 'Download' }).boundingBox()
    const end = (text?.y ?? 0) + (text?.height ?? 0)
    t.ok(end <= (button?.y ?? 0), `the text ends at ${end}, the button begins at ${button?.y}`)
    const background = await page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    t.equal(background === 'dark', size.colorScheme === 'dark')
  })
}

t.test('one field takes tokens; errors are shown once', settings, async (t) => {
  const { page } = await openExplorer(t, { name: '', viewport: { width: 1280, height: 900 }, isMobile: false })
  await page.locator('[data-tag="Product"]').click()
  const operation = page.locator('.opblock-get').filter({ has: page.locator('[data-path="/Products"]') })
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.responses-table').waitFor()
  t.equal(await page.getByRole('button', { name: /authoriz/i }).count(), 0)
  const errors = operation.locator('.response').filter({ hasText: 'statusCode' })
  t.equal(await errors.filter({ visible: true }).locator('.model-example:visible').count(), 1)
})

t.test('what the page fills in is answered without an error', settings, async (t) => {
  const { page } = await openExplorer(t, { name: '', viewport: { width: 1280, height: 900 }, isMobile: false })
  await page.locator('[data-tag="Customer"]').click()
  for (const path of ['/Customers', '/Customers/count']) {
    const operation = page.locator('.opblock-get').filter({ has: page.locator(`[data-path="${path}"]`) })
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const status = operation.locator('.live-responses-table .response-col_status').last()
    await status.waitFor()
    t.match(await status.innerText(), /^200/, path)
  }
})

t.test('the token is forgotten when the field is emptied, and kept while the tab is open', settings, async (t) => {
  const { page } = await openExplorer(t, { name: '', viewport: { width: 1280, height: 900 }, isMobile: false })
  const field = page.getByLabel('Access token')
  await field.fill('my-token')
  await page.keyboard.press('Enter')
  await page.reload()
  t.equal(await field.inputValue(), 'my-token')
  await page.getByText('The token is sent').waitFor()
  await field.fill('')
  await page.keyboard.press('Enter')
  await page.getByText('No token is sent').waitFor()
  await page.reload()
  t.equal(await field.inputValue(), '')
})
