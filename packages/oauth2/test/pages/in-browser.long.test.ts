import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { findPort } from '@modelwire/connector-tests'
import { modelwire } from '@modelwire/core'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { oauth2 } from '#src/index.ts'
import { pkce } from '../flow.ts'
import { findBarriers, isTooWide, openBrowser, openPage, skip, takePicture } from './chromium.ts'

// A browser on a busy machine takes its time.
const timeout = 120_000

/** A client that sends browsers on to another host of its own, as many do, and says what came back. */
async function startClient(t: Test): Promise<string> {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/cb', async ({ url, port }, reply) => reply.redirect(`http://localhost:${port}${url.replace('cb', 'home')}`))
  app.get('/home', async (_request, reply) => reply.type('text/html').send('<!doctype html><title>Client</title>back'))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** A server with users, listening, and a client that is registered there. */
async function startServer(t: Test) {
  const port = await findPort()
  const issuer = `http://127.0.0.1:${port}`
  const home = await startClient(t)
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [userModel(), accessTokenModel]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(acl)
  await app.register(users)
  await app.register(oauth2, {
    issuer,
    keys: {},
    scopes: ['orders:write'],
    session: { secret: 'a secret of tests that is long enough' },
    pages: { name: 'Parcel Service' }
  })
  await app.models.get('User').create({ username: 'ann', email: 'ann@shop.org', password: 'right-horse' })
  const redirectUris = [`${home}/cb`]
  const grantTypes = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
  const photoPrinter = { name: 'Photo Printer', type: 'public' as const, redirectUris, grantTypes }
  const { client } = await app.oauth2.clients.create(photoPrinter)
  await app.listen({ host: '127.0.0.1', port })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: `${home}/cb`,
    state: 'st',
    scope: 'openid email orders:write',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256'
  })
  const hosts = [new URL(issuer).host, new URL(home).host, new URL(home).host.replace('127.0.0.1', 'localhost')]
  return { app, issuer, home, client, hosts, address: `${issuer}/oauth/authorize?${query.toString()}` }
}

t.test(
  'somebody logs in and permits with the keyboard alone, and comes back to the client',
  { skip, timeout },
  async (t) => {
    const { address, home, hosts } = await startServer(t)
    const { page, complaints } = await openPage(await openBrowser(t), hosts)
    await page.goto(address)
    // The page is there a moment before its first field has the focus.
    const focused = page.locator('input:focus')
    await focused.waitFor()
    await page.keyboard.type('ann')
    await page.keyboard.press('Tab')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    t.equal(await page.getByLabel('Email or user name').inputValue(), 'ann')
    t.match(await page.getByLabel('Password').getAttribute('aria-describedby'), 'problem')
    await focused.waitFor()
    await page.keyboard.type('right-horse')
    await page.keyboard.press('Enter')
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()
    t.match(await page.title(), 'Allow Photo Printer?')
    await allow.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${home.replace('127.0.0.1', 'localhost')}/home?**`)
    const { searchParams } = new URL(page.url())
    t.ok(searchParams.get('code'))
    t.equal(searchParams.get('state'), 'st')
    await page.goto(address)
    await page.getByRole('button', { name: 'Allow' }).or(page.getByText('back')).first().waitFor()
    t.same(complaints, [])
  }
)

t.test('somebody says no, and the client hears it', { skip, timeout }, async (t) => {
  const { address, home, hosts } = await startServer(t)
  const { page, complaints } = await openPage(await openBrowser(t), hosts)
  await page.goto(address)
  await page.getByLabel('Email or user name').fill('ann@shop.org')
  await page.getByLabel('Password').fill('right-horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${home.replace('127.0.0.1', 'localhost')}/home?**`)
  t.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  t.same(complaints, [])
})

const windows = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const

for (const [name, viewport] of Object.entries(windows))
  for (const colorScheme of ['light', 'dark'] as const)
    t.test(
      `on a ${name} in ${colorScheme} every page is whole, and open to everybody`,
      { skip, timeout },
      async (t) => {
        const { app, address, client, issuer, hosts } = await startServer(t)
        const { page, complaints } = await openPage(await openBrowser(t), hosts, { viewport, colorScheme })
        const look = async (what: string) => {
          t.same(await findBarriers(page), [], what)
          t.equal(await isTooWide(page), false, what)
          await takePicture(page, `${what}-${name}-${colorScheme}`)
        }
        await page.goto(address)
        await look('login')
        await page.getByLabel('Email or user name').fill('ann')
        await page.getByLabel('Password').fill('wrong')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('alert').waitFor()
        await look('login-failed')
        await page.getByLabel('Password').fill('right-horse')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('button', { name: 'Allow' }).waitFor()
        await look('consent')
        await page.goto(`${issuer}/oauth/authorize?client_id=nobody`)
        await look('error')
        const form = new URLSearchParams({ client_id: client.id, scope: 'openid' }).toString()
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const asked = await app.inject({ method: 'POST', url: '/oauth/device_authorization', headers, payload: form })
        await page.goto(`${issuer}/device`)
        await look('device')
        await page.getByLabel('Code').fill(asked.json<{ user_code: string }>().user_code)
        await page.getByRole('button', { name: 'Continue' }).click()
        await look('device-consent')
        await page.getByRole('button', { name: 'Allow' }).click()
        await look('device-done')
        await page.goto(`${issuer}/logout`)
        await look('logout')
        await page.getByRole('button', { name: 'Sign out' }).click()
        await look('logged-out')
        t.same(complaints, [])
      }
    )
