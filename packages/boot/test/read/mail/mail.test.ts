import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

interface Received {
  readonly port: number
  /** Senders, receivers and texts of the messages that came in. */
  readonly messages: { from: string; to: string[]; text: string }[]
}

/** A server of mail that lets `ann` in, and takes messages to everybody but `nobody@example.com`. */
async function listen(t: Test): Promise<Received> {
  const messages: Received['messages'] = []
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'ann' && password === 'secret') done(null, { user: username })
      else done(new Error('who are you?'))
    },
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('nobody') ? new Error('no such mailbox') : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        messages.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: String(Buffer.concat(parts)) })
        done()
      })
    }
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, messages }
}

const smtp = (port: number, more: object = {}) => ({
  type: 'SMTP',
  host: '127.0.0.1',
  port,
  secure: false,
  tls: { rejectUnauthorized: false },
  auth: { user: 'ann', pass: 'secret' },
  ...more
})

/** An application whose model `Note` extends Email and sends what its methods are told. */
function mailApp(settings: object, more: Files = {}): Files {
  return {
    'server/datasources.json': { db: { connector: 'memory' }, mail: { connector: 'mail', ...settings } },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Email: { dataSource: 'mail', public: true },
      Note: { dataSource: 'mail', public: true }
    },
    'common/models/thing.json': undefined,
    'common/models/note.json': { name: 'Note', base: 'Email', properties: { campaign: 'string' } },
    'common/models/note.js': `module.exports = Note => {
      const message = to => ({ from: 'shop@example.com', to, subject: 'Hello', text: 'It works' })
      Note.called = (to, transport, cb) => Note.send({ ...message(to), transport }, (err, info) => cb(err, info && info.accepted))
      Note.promised = async to => (await Note.app.models.Email.send(message(to))).messageId
      Note.own = (to, cb) => new Note(message(to)).send((err, info) => cb(err, info && info.envelope))
      Note.nobodyWaits = async to => { Note.send(message(to)); return 'sent' }
      const to = { arg: 'to', type: 'string' }
      Note.remoteMethod('called', { accepts: [to, { arg: 'transport', type: 'string' }], returns: { arg: 'r', root: true } })
      for (const name of ['promised', 'own', 'nobodyWaits']) Note.remoteMethod(name, { accepts: to, returns: { arg: 'r', root: true } })
    }`,
    ...more
  }
}

void t.test('sends by SMTP with a callback, with a promise, and as an instance', async (t) => {
  const { port, messages } = await listen(t)
  const server = await bootApp(t, mailApp({ transports: [smtp(port)] }))
  const ask = async (path: string): Promise<unknown> =>
    (await server.inject({ method: 'POST', url: `/api/Notes/${path}` })).json()
  t.same(await ask('called?to=bo@example.com'), ['bo@example.com'])
  t.match(await ask('promised?to=bo@example.com'), /@example\.com/)
  t.same(await ask('own?to=bo@example.com'), { from: 'shop@example.com', to: ['bo@example.com'] })
  t.equal(messages.length, 3)
  for (const message of messages)
    t.match(message, { from: 'shop@example.com', to: ['bo@example.com'], text: /Subject: Hello[^]*It works/ })
})

void t.test('a failed delivery reaches the caller, and nobody else', async (t) => {
  const { port, messages } = await listen(t)
  const server = await bootApp(
    t,
    mailApp({ transports: [smtp(port), smtp(port, { alias: 'stranger', auth: { user: 'bo', pass: 'x' } })] })
  )
  const ask = async (path: string): Promise<number> =>
    (await server.inject({ method: 'POST', url: `/api/Notes/${path}` })).statusCode
  t.equal(await ask('called?to=nobody@example.com'), 500)
  t.equal(await ask('promised?to=nobody@example.com'), 500)
  t.equal(await ask('called?to=bo@example.com&transport=stranger'), 500, 'refused by name and password')
  t.equal(await ask('nobodyWaits?to=nobody@example.com'), 200, 'the process lives')
  t.equal(await ask('called?to=bo@example.com&transport=unheard-of'), 200, 'an unknown name is the first transport')
  t.equal(messages.length, 1)
})

void t.test('ping asks the servers of mail whether they let us in', async (t) => {
  const { port } = await listen(t)
  const good = await bootApp(t, mailApp({ transports: [smtp(port), { type: 'stub' }] }))
  await good.loopback.dataSources['mail']?.ping()
  const bad = await bootApp(t, mailApp({ transport: smtp(port, { auth: { user: 'bo', pass: 'x' } }) }))
  await t.rejects(async () => bad.loopback.dataSources['mail']?.ping(), { code: 'EAUTH' })
})

void t.test('a stub sends nothing and gives the message', async (t) => {
  for (const settings of [{ transports: [{ type: 'stub' }] }, { transports: [{}] }, { transport: { type: 'STUB' } }]) {
    const server = await bootApp(t, mailApp(settings))
    const response = await server.inject({ method: 'POST', url: '/api/Notes/own?to=bo@example.com' })
    t.same(response.json(), { from: 'shop@example.com', to: ['bo@example.com'] })
  }
})

void t.test('without a transport a message comes back as it is', async (t) => {
  const server = await bootApp(
    t,
    mailApp(
      {},
      {
        'server/boot/try.js': `module.exports = async app => {
    app.set('back', await app.models.Email.send({ to: 'bo@example.com' }))
  }`
      }
    )
  )
  t.same(server.loopback.get('back'), { to: 'bo@example.com' })
})

void t.test('scripts reach the transports', async (t) => {
  const server = await bootApp(
    t,
    mailApp(
      { transports: [{ type: 'stub', alias: 'quiet' }, { type: 'stub' }] },
      {
        'server/boot/try.js': `module.exports = app => {
    const { connector } = app.dataSources.mail
    connector.setupTransport({ type: 'stub', alias: 'late' })
    app.set('seen', [
      connector.transports.length,
      connector.defaultTransport() === connector.transportForName('quiet'),
      typeof connector.transportForName('late').sendMail,
      typeof app.models.Email.mailer.createTransport,
      connector.transportForName('constructor')
    ])
  }`
      }
    )
  )
  t.strictSame(server.loopback.get('seen'), [3, true, 'function', 'function', undefined])
})

void t.test('models of mail have no data access over REST, their own methods alone', async (t) => {
  const server = await bootApp(t, mailApp({ transports: [] }))
  for (const url of ['/api/Emails', '/api/Notes', '/api/Notes/1', '/api/Notes/count'])
    t.equal((await server.inject(url)).statusCode, 404)
  t.equal((await server.inject({ method: 'POST', url: '/api/Emails', payload: {} })).statusCode, 404)
  t.notOk(notesOf(server).some((note) => note.includes('mail')))
})

void t.test('an Email that has no data source says what is missing', async (t) => {
  const files = mailApp({}, { 'server/boot/try.js': 'module.exports = app => app.models.Email.send({})' })
  const config = { Email: { dataSource: null, public: false } }
  t.same(await refusal(t, { ...files, 'server/model-config.json': config }), {
    code: 'SCRIPT_FAILED',
    file: 'server/boot/try.js'
  })
})

const file = 'server/datasources.json'
const refused: [string, object, object][] = [
  [
    'transports that are no list',
    { transports: { type: 'stub' } },
    { code: 'CONFIG_VALUE_INVALID', file, key: 'mail.transports' }
  ],
  [
    'a transport that is no object',
    { transports: ['smtp'] },
    { code: 'CONFIG_VALUE_INVALID', file, key: 'mail.transports.0' }
  ],
  [
    'a port that is none',
    { transports: [{ type: 'smtp', port: 'x' }] },
    { code: 'CONFIG_VALUE_INVALID', file, key: 'mail.transports.0.port' }
  ],
  [
    'a single transport with a type that is no text',
    { transport: { type: 5 } },
    { code: 'CONFIG_VALUE_INVALID', file, key: 'mail.transport.type' }
  ],
  [
    'a kind of transport that is not installed',
    { transports: [{ type: 'pigeon' }] },
    { code: 'MAIL_TRANSPORT_UNKNOWN', file, key: 'mail.transports.0.type' }
  ]
]
for (const [name, settings, error] of refused) {
  void t.test(`refuses ${name}`, async (t) => {
    t.same(await refusal(t, mailApp(settings)), error)
  })
}

void t.test('a package of the application sends, too', async (t) => {
  const server = await bootApp(
    t,
    mailApp(
      { transports: [{ type: 'pigeon', speed: 3 }] },
      {
        'node_modules/nodemailer-pigeon-transport/index.js': `module.exports = ({ speed }) => ({
      name: 'pigeon', version: '1', send: (mail, done) => done(null, { accepted: ['by pigeon ' + speed] })
    })`
      }
    )
  )
  t.same((await server.inject({ method: 'POST', url: '/api/Notes/called?to=bo@example.com' })).json(), ['by pigeon 3'])
})
