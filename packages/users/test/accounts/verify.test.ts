import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { MailMessage } from '#src/index.ts'
import { enter, makeApp } from '../make-app.ts'

/** Sends the message of somebody who is called Ann, with these options, and gives what reached the mailer. */
async function verify(t: Test, options: object, sent: MailMessage[] = []): Promise<[MailMessage, FastifyInstance]> {
  const app = await makeApp(t, { users: { sendMail: async (message) => void sent.push(message), apiRoot: '/v1' } })
  await enter(app, 'ann@shop.org')
  const ann = await app.models.get('Customer').findOne()
  await Reflect.apply(Reflect.get(ann ?? {}, 'verify') as () => Promise<unknown>, ann, [options])
  const [message] = sent
  if (message === undefined) throw new Error('nothing was sent')
  return [message, app]
}

/** The token that was stored for Ann. */
const tokenIn = async ({ models }: FastifyInstance): Promise<string> =>
  String((await models.get('Customer').findOne())?.['verificationToken'])

void t.test('the link leads to confirm, with the user, the redirect and the token', async (t) => {
  const [message, app] = await verify(t, { host: 'shop.org', redirect: '/welcome' })
  const link = `http://shop.org:3000/v1/Customers/confirm?uid=1&redirect=%2Fwelcome&token=${await tokenIn(app)}`
  t.match(message, { to: 'ann@shop.org', from: undefined })
  t.ok(message.text.endsWith(`\n${link}`))
  t.ok(message.html.includes(link.replaceAll('&', '&amp;')))
  t.notOk('user' in message)
})

const ports: [object, string][] = [
  [{}, 'http://localhost:3000/'],
  [{ port: 80 }, 'http://localhost/'],
  [{ protocol: 'https', port: '443' }, 'https://localhost/'],
  [{ protocol: 'https', port: 80 }, 'https://localhost:80/'],
  [{ verifyHref: 'https://shop.org/hello' }, 'https://shop.org/hello?token='],
  [{ verifyHref: 'https://shop.org/hello?a=1' }, 'https://shop.org/hello?a=1&token=']
]

for (const [options, start] of ports) {
  void t.test(`the link of ${JSON.stringify(options)} begins with ${start}`, async (t) => {
    const [{ text }] = await verify(t, { ...options, text: '{href}' })
    t.ok(text.startsWith(start), text)
  })
}

const homes: [object, string, string | undefined][] = [
  [{}, 'http://localhost:PORT/v1/Customers/confirm?', undefined],
  [
    { publicUrl: 'https://shop.org', mailFrom: 'Shop <a@shop.org>' },
    'https://shop.org/v1/Customers/',
    'Shop <a@shop.org>'
  ],
  [{ publicUrl: 'http://shop.org:81/eu/' }, 'http://shop.org:81/eu/v1/Customers/confirm?', undefined]
]

for (const [options, start, from] of homes)
  void t.test(`a message that names no address leads to ${start}`, async (t) => {
    const sent: MailMessage[] = []
    const sendMail = async (message: MailMessage): Promise<void> => void sent.push(message)
    const app = await makeApp(t, { users: { sendMail, apiRoot: '/v1', ...options } })
    const { port } = new URL(await app.listen({ port: 0 }))
    await enter(app, 'ann@shop.org')
    const ann = await app.models.get('Customer').findOne()
    await Reflect.apply(Reflect.get(ann ?? {}, 'verify') as () => Promise<unknown>, ann, [{ text: '{href}' }])
    t.ok(sent[0]?.text.startsWith(start.replace('PORT', port)), String(sent[0]?.text))
    t.equal(sent[0]?.from, from)
  })

void t.test('options of the application reach the mailer, and own functions are obeyed', async (t) => {
  const [message, app] = await verify(t, {
    cc: 'bob@shop.org',
    subject: 'Hello',
    text: 'Go to {href}, {href}',
    templateFn: async ({ verificationToken, user }: { verificationToken: string; user: { email: string } }) =>
      `<b>${user.email} ${verificationToken}</b>`,
    generateVerificationToken: async () => 'my$&token'
  })
  t.match(message, { cc: 'bob@shop.org', subject: 'Hello', html: '<b>ann@shop.org my$&token</b>' })
  t.match(message.text, /^Go to http\S+token=my%24%26token, http\S+token=my%24%26token$/)
  t.equal(await tokenIn(app), 'my$&token')
})

void t.test('a template of EJS sees the options, and what they hold is escaped', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-verify-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const template = join(dir, 'mail.ejs')
  await writeFile(template, '<p><%= shop %></p><a href="<%= verifyHref %>"><%= user.email %></a>')
  const [{ html }, app] = await verify(t, {
    template,
    shop: '<Ann & Bob>',
    settings: { 'view options': { client: 1 } }
  })
  t.match(html, '<p>&lt;Ann &amp; Bob&gt;</p><a href="http://localhost:3000/v1/Customers/confirm?uid=1&amp;redirect=')
  t.match(html, `token=${await tokenIn(app)}">ann@shop.org</a>`)
})

void t.test('a mailer of the options is used in place of the usual one', async (t) => {
  const own: unknown[] = []
  const usual: MailMessage[] = []
  const mailer = { send: async (message: object) => own.push(message) }
  await t.rejects(verify(t, { mailer }, usual), { message: 'nothing was sent' })
  t.match(own, [{ to: 'ann@shop.org', user: { email: 'ann@shop.org' } }])
  t.equal(usual.length, 0)
})

void t.test('options of the call reach hooks, and own functions that have a place for them', async (t) => {
  const app = await makeApp(t, { users: { sendMail: async () => {}, apiRoot: '/v1' } })
  await enter(app, 'ann@shop.org')
  const Customer = app.models.get('Customer')
  const seen: unknown[] = []
  Customer.observe('before save', ({ options }) => void seen.push(options['tenant']))
  const take = async (_first: unknown, options: { tenant: string }, _more: unknown): Promise<string> => {
    seen.push(options.tenant)
    return 'text'
  }
  const ann = await Customer.findOne()
  const verifyOptions = { templateFn: take, generateVerificationToken: take, mailer: { send: take } }
  await Reflect.apply(Reflect.get(ann ?? {}, 'verify') as () => Promise<unknown>, ann, [verifyOptions, { tenant: 'a' }])
  t.strictSame(seen, ['a', 'a', 'a', 'a'])
})

void t.test('a user who is not stored yet is stored with the token', async (t) => {
  const app = await makeApp(t, { users: { sendMail: async () => {}, apiRoot: '/v1' } })
  const Customer = app.models.get('Customer')
  const user = new Customer({ email: 'new@shop.org', password: 'secret' })
  await Reflect.apply(Reflect.get(user, 'verify') as () => Promise<unknown>, user, [{}])
  t.match(await Customer.findOne(), { email: 'new@shop.org', verificationToken: /^\w+$/ })
})
