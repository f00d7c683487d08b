import { findBrowser, openBrowser } from '@modelwire/explorer-tests'
import { until } from '@modelwire/test-waits'
import t, { type Test } from 'tap'
import { buildServer } from '#src/server.ts'
import { adminPage, bundleAdmin } from './bundle-admin.ts'

const browserPath = findBrowser()
// Where everything has to be tested, a missing browser is a failure.
const isOptional = browserPath === undefined && process.env['CI'] === undefined
const needs = isOptional ? 'needs a Chromium: install one, or set CHROMIUM_PATH' : false
const patience = 60_000
const settings = { skip: needs, timeout: patience }

/** The admin of the shop in a browser, with the requests that the server gets, and what the browser complains of. */
async function openAdmin(t: Test, viewport = { width: 1280, height: 800 }) {
  const app = await buildServer()
  t.teardown(() => app.close())
  const script = await bundleAdmin()
  const requests: string[] = []
  app.server.on('request', ({ method, url }) => {
    if (url?.startsWith('/api')) requests.push(`${method} ${decodeURIComponent(url)}`)
  })
  // The routes of the shop are mounted; the pages of a test come from the browser's own network.
  const browser = await openBrowser(browserPath ?? '')
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport })
  page.setDefaultTimeout(patience / 3)
  await page.route('**/admin', (route) => route.fulfill({ contentType: 'text/html', body: adminPage }))
  await page.route('**/admin.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  await page.goto(`${await app.listen({ host: '127.0.0.1', port: 0 })}/admin`)
  await page.getByText('Pruning shears').waitFor()
  /** A picture, for those who look at what the test sees. */
  const shoot = async (name: string) => {
    const folder = process.env['SCREENSHOTS']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
  }
  const lists = () => requests.filter((request) => request.startsWith('GET /api/Products?'))
  return { app, page, requests, lists, complaints, shoot }
}

t.test('products are listed, paged by cursor, sorted and searched', settings, async (t) => {
  const { page, lists, complaints, shoot } = await openAdmin(t)
  await page.getByText('1-5 of 20').waitFor()
  await page.getByText('Garden').first().waitFor()
  await shoot('list')
  await page.getByRole('button', { name: 'Go to next page' }).click()
  await page.getByText('Cast iron pan').waitFor()
  t.match(lists().at(-1), /"after":"/)
  await page.getByRole('button', { name: 'Go to next page' }).click()
  await page.getByText('Linen tea towel').waitFor()
  await page.getByRole('button', { name: 'Go to previous page' }).click()
  await page.getByText('Cast iron pan').waitFor()
  // The page is shown from what was kept, and asked for again.
  await until(() => lists().at(-1)?.includes('"before":"'), 'the request for the page before')
  await page.getByRole('button', { name: /Sort by price/i }).click()
  await page.getByText('Ink, midnight blue').waitFor()
  t.match(lists().at(-1), /"order":\["price ASC"\]/)
  await page.getByRole('textbox', { name: 'Search' }).fill('WOOL')
  await page.getByText('1-1 of 1').waitFor()
  await page.getByText('Wool blanket').waitFor()
  await shoot('search')
  t.strictSame(complaints, [])
})

t.test('a product is changed, a wrong value is told at its field, and a product is deleted', settings, async (t) => {
  const { app, page, complaints, shoot } = await openAdmin(t)
  await page.getByText('Pruning shears').click()
  await page.locator('input[name="sku"]').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.MuiFormHelperText-root.Mui-error').waitFor()
  await shoot('invalid')
  await page.locator('input[name="sku"]').fill('GAR-901')
  await page.locator('input[name="price"]').fill('25.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Element updated').waitFor()
  t.match(await app.models.Product.findById(1), { sku: 'GAR-901', price: 25.5 })
  await page.getByText('Hand fork').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('1-5 of 19').waitFor()
  t.equal(await app.models.Product.findById(4), null)
  t.strictSame(complaints, [])
})

t.test('who loses a race is told, keeps what was typed, and can reload and save', settings, async (t) => {
  const { app, page, complaints, shoot } = await openAdmin(t)
  await page.getByText('Pruning shears').click()
  await page.locator('input[name="price"]').fill('30')
  const record = await app.models.Product.findById(1)
  await record?.patchAttributes({ price: 28 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else has changed this record').waitFor()
  await shoot('conflict')
  t.equal(await page.locator('input[name="price"]').inputValue(), '30')
  t.match(await app.models.Product.findById(1), { price: 28 })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.waitForFunction(`document.querySelector('input[name="price"]').value === '28'`)
  await page.locator('input[name="price"]').fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Element updated').waitFor()
  t.match(await app.models.Product.findById(1), { price: 30 })
  t.strictSame(complaints, [])
})
